#!/bin/sh
# For each node a Job. It is bound to its node as a DaemonSet binds its pods: by the node's name, through the scheduler.
# shellcheck disable=SC2016
exec jq '
  .parent as $parent
  | (.related["Node.v1"] | keys) as $nodes
  | [.children["Job.batch/v1"][] | .status // {}] as $statuses
  | ([$statuses[] | select((.succeeded // 0) > 0)] | length) as $succeeded
  | ([$statuses[] | select(any(.conditions[]?; .type == "Failed" and .status == "True"))] | length) as $failed
  | ($succeeded > 0 and $succeeded == ($nodes | length)) as $complete

  | def onNode($node): {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{matchFields: [{key: "metadata.name", operator: "In", values: [$node]}]}]
        }
      }
    };

  {
    status: {
      nodes: ($nodes | length),
      succeeded: $succeeded,
      failed: $failed,
      conditions: [{
        type: "Complete",
        status: (if $complete then "True" else "False" end),
        reason: (if $complete then "Finished" else "Running" end),
        message: "\($succeeded) of \($nodes | length) nodes are done"
      }]
    },
    children: [
      $nodes[] as $node | {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {name: "\($parent.metadata.name)-\($node)", namespace: $parent.metadata.namespace},
        spec: {template: ($parent.spec.template | .spec.affinity = onNode($node))}
      }
    ]
  }'
