// The name of the pod as a label. The annotation pod-name-label says which label.

function(request)
  local metadata = request.object.metadata;
  { labels: { [metadata.annotations['pod-name-label']]: metadata.name } }
