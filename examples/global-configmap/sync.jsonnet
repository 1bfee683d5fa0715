// A copy of the source in every namespace that is not on its way out. While the source is missing the copies stay as they are.

function(request)
  local spec = request.parent.spec;
  local source = std.get(request.related['ConfigMap.v1'], spec.sourceNamespace + '/' + spec.sourceName);
  local copies = { [copy.metadata.namespace]: copy for copy in std.objectValues(request.children['ConfigMap.v1']) };
  local targets = [
    namespace.metadata.name
    for namespace in std.objectValues(request.related['Namespace.v1'])
    if namespace.metadata.name != spec.sourceNamespace && !std.objectHas(namespace.metadata, 'deletionTimestamp')
  ];

  local content(map) = { [field]: map[field] for field in ['data', 'binaryData'] if std.objectHas(map, field) };
  local wanted(namespace) = if source != null then source else std.get(copies, namespace);
  local isCopied(namespace) =
    source != null && std.objectHas(copies, namespace) && content(copies[namespace]) == content(source);

  local actual = std.count(std.map(isCopied, targets), true);
  local open = std.length(targets) - actual;
  {
    status: {
      expectedCopies: std.length(targets),
      actualCopies: actual,
      conditions: [{
        type: 'Ready',
        status: if source != null && open == 0 then 'True' else 'False',
        reason: if source == null then 'SourceMissing' else if open > 0 then 'Copying' else 'Copied',
        message: if source == null then 'the source is not there' else 'copies to be written: %d' % open,
      }],
    },
    children: [
      { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: spec.sourceName, namespace: target } } + content(wanted(target))
      for target in targets
      if wanted(target) != null
    ],
  }
