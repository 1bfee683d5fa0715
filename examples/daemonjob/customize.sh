#!/bin/sh
# The nodes that the parent selects. A node that comes, goes, or gets a label makes sync be asked.
exec jq '{
  relatedResources: [{
    apiVersion: "v1",
    resource: "nodes",
    labelSelector: {matchLabels: (.parent.spec.nodeSelector // {})}
  }]
}'
