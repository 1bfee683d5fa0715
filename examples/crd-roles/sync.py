"""From a CustomResourceDefinition to two ClusterRoles: who may read objects of its kind, and who may write them.

They are aggregated to Kubernetes' own roles "view" and "edit", so that whoever has one of those may do the same with the new kind.
"""

import json
import sys

READ = ["get", "list", "watch"]
WRITE = ["create", "update", "patch", "delete", "deletecollection"]


def sync(request):
    crd = request["object"]
    return {"attachments": [role(crd, "view", READ), role(crd, "edit", READ + WRITE)]}


def role(crd, name, verbs):
    group, resource = crd["spec"]["group"], crd["spec"]["names"]["plural"]
    return {
        "apiVersion": "rbac.authorization.k8s.io/v1",
        "kind": "ClusterRole",
        "metadata": {
            "name": f'{crd["metadata"]["name"]}-{name}',
            "labels": {f"rbac.authorization.k8s.io/aggregate-to-{name}": "true"},
        },
        "rules": [{"apiGroups": [group], "resources": [resource], "verbs": verbs}],
    }


if __name__ == "__main__":
    json.dump(sync(json.load(sys.stdin)), sys.stdout)
