// The hook of hello-world in Jsonnet: a function from what is there to what shall be there.

local container = import 'container.libsonnet';

function(request)
  local parent = request.parent;
  local who = std.get(std.get(parent, 'spec', {}), 'who', 'World');
  {
    status: { pods: std.length(request.children['Pod.v1']) },
    children: [
      {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: parent.metadata.name },
        spec: {
          restartPolicy: 'OnFailure',
          containers: [container.echo('hello', 'Hello, %s!' % who)],
        },
      },
    ],
  }
