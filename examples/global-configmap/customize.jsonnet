// The source, and every namespace: a new namespace makes sync be asked.

function(request)
  local spec = request.parent.spec;
  {
    relatedResources: [
      { apiVersion: 'v1', resource: 'configmaps', namespace: spec.sourceNamespace, names: [spec.sourceName] },
      { apiVersion: 'v1', resource: 'namespaces' },
    ],
  }
