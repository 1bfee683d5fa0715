// From a StatefulSet with two annotations to a Service for each of its pods:
//   service-per-pod-label: pod-name          the key of a label that each pod has with its own name as the value
//   service-per-pod-ports: 80:8080,443:8443  ports of the Service, and of the pod where they differ

local port(text) =
  local numbers = std.map(std.parseInt, std.split(text, ':'));
  { name: 'port-%d' % numbers[0], port: numbers[0], targetPort: numbers[std.length(numbers) - 1] };

function(request)
  local set = request.object;
  local annotations = set.metadata.annotations;
  local service(index) =
    local pod = '%s-%d' % [set.metadata.name, index];
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: pod, labels: { app: 'service-per-pod' } },
      spec: {
        selector: { [annotations['service-per-pod-label']]: pod },
        ports: std.map(port, std.split(annotations['service-per-pod-ports'], ',')),
      },
    };
  { attachments: std.makeArray(std.get(set.spec, 'replicas', 1), service) }
