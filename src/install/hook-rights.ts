// What calling hooks needs: the Secrets and ConfigMaps that webhooks refer to, each by its name; and from outside of the
// cluster a way to the Services that they are.

import { type Definition, definitionId, type Hook, type WebhookHook } from '../model/definition.ts';
import type { Right } from '../model/right.ts';
import type { ObjectName } from '../model/webhook.ts';
import type { RightsOptions } from './rights-options.ts';

export function hookRights(definition: Definition, { purpose }: RightsOptions): readonly Right[] {
  const webhooks = Object.values(definition.hooks as Readonly<Record<string, Hook>>).filter(
    (hook) => hook.kind === 'webhook',
  );
  const referred = webhooks.flatMap((hook) => references(definition, hook));
  // A daemon in the cluster calls Services by their names.
  return purpose === 'daemon' || purpose === 'shadow'
    ? referred
    : [...referred, ...webhooks.flatMap((hook) => serviceRights(definition, hook))];
}

function references(definition: Definition, { caBundle, clientTls, credentials }: WebhookHook): Right[] {
  const why = `what the webhooks of ${definitionId(definition)} refer to`;
  const named = (resource: string, { namespace, name }: ObjectName): Right => ({
    ...{ group: '', resource, namespace, names: [name], verbs: ['get'], why },
  });
  const secrets = [
    ...(clientTls ? [clientTls.secret] : []),
    ...(credentials ? [credentials.secret] : []),
    ...(caBundle?.kind === 'Secret' ? [caBundle] : []),
  ];
  const maps = caBundle?.kind === 'ConfigMap' ? [caBundle] : [];
  return [...secrets.map((name) => named('secrets', name)), ...maps.map((name) => named('configmaps', name))];
}

function serviceRights(definition: Definition, hook: WebhookHook): Right[] {
  const url = new URL(hook.url);
  const service = hook.direct ? undefined : (hook.service ?? serviceOf(url.hostname));
  if (!service) return [];
  const { name, namespace } = service;
  const why = `webhooks of ${definitionId(definition)}, called from outside of the cluster`;
  const through = { group: '', namespace, why };
  return [
    { ...through, resource: 'services', names: [name], verbs: ['get'] },
    { ...through, resource: 'services/proxy', names: [`${name}:${url.port || '80'}`], verbs: ['create'] },
    // Where the proxy will not do (https, credentials, long calls), by a connection to a pod.
    { ...through, group: 'discovery.k8s.io', resource: 'endpointslices', verbs: ['list'] },
    { ...through, resource: 'pods/portforward', verbs: ['create'] },
  ];
}

/** "name.namespace" and "name.namespace.svc…", as the caller takes them. */
function serviceOf(host: string): ObjectName | undefined {
  const [name, namespace, third, ...rest] = host.split('.');
  if (!name || !namespace || /^\d+$/.test(namespace)) return undefined;
  return third === 'svc' || (third === undefined && rest.length === 0) ? { name, namespace } : undefined;
}
