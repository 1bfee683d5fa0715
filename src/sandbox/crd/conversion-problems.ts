// spec.conversion of a CRD. The sandbox converts by "None" only; webhooks are checked here and never called.

import type { JsonObject, JsonValue } from '../../kit/json.ts';
import { isJsonObject } from '../../kit/json.ts';
import { type FieldProblem, forbiddenField, invalidValue, required, unsupportedValue } from '../../schema/index.ts';
import { dns1035Problems } from '../meta/names.ts';
import { listAt, objectAt, textAt } from './kind.ts';

const PATH = 'spec.conversion';

export function conversionProblems(conversion: JsonValue | undefined): FieldProblem[] {
  if (!isJsonObject(conversion)) return [];
  const strategy = textAt(conversion['strategy']);
  const webhook = conversion['webhook'];
  const versions = listAt(objectAt(webhook)['conversionReviewVersions']).map(textAt);
  const client = objectAt(webhook)['clientConfig'];
  if (strategy === 'Webhook') return [...clientProblems(client), ...reviewVersionProblems(versions)];
  const problems: FieldProblem[] = [];
  if (strategy === '') problems.push(required(`${PATH}.strategy`));
  else if (strategy !== 'None') problems.push(unsupportedValue(`${PATH}.strategy`, strategy, ['None', 'Webhook']));
  const detail = 'should not be set when strategy is not set to Webhook';
  if (isJsonObject(client)) problems.push(forbiddenField(`${PATH}.webhookClientConfig`, detail));
  if (versions.length > 0) problems.push(forbiddenField(`${PATH}.conversionReviewVersions`, detail));
  return problems;
}

function clientProblems(client: JsonValue | undefined): FieldProblem[] {
  const path = `${PATH}.webhookClientConfig`;
  if (!isJsonObject(client)) return [required(path, 'required when strategy is set to Webhook')];
  const { url, service } = client;
  if ((url === undefined) === (service === undefined)) {
    return [required(path, 'exactly one of url or service is required')];
  }
  return url === undefined
    ? serviceProblems(objectAt(service), `${path}.service`)
    : urlProblems(textAt(url), `${path}.url`);
}

function urlProblems(text: string, path: string): FieldProblem[] {
  const form = '; desired format: https://host[/path]';
  const [, scheme = '', , authority = '', , query = '', , fragment = ''] =
    /^(?:([a-zA-Z][a-zA-Z0-9+.-]*):)?(\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(#(.*))?$/.exec(text) ?? [];
  const problems: FieldProblem[] = [];
  const host = authority.slice(authority.lastIndexOf('@') + 1);
  if (scheme.toLowerCase() !== 'https') {
    problems.push(invalidValue(path, scheme.toLowerCase(), `'https' is the only allowed URL scheme${form}`));
  }
  if (host === '') problems.push(invalidValue(path, '', `host must be specified${form}`));
  if (authority.includes('@')) {
    const user = authority.slice(0, authority.lastIndexOf('@'));
    problems.push(invalidValue(path, user, 'user information is not permitted in the URL'));
  }
  if (fragment !== '') problems.push(invalidValue(path, fragment, 'fragments are not permitted in the URL'));
  if (query !== '') problems.push(invalidValue(path, query, 'query parameters are not permitted in the URL'));
  return problems;
}

function serviceProblems(service: JsonObject, path: string): FieldProblem[] {
  const problems = ['name', 'namespace']
    .filter((key) => textAt(service[key]) === '')
    .map((key) => required(`${path}.${key}`));
  const port = service['port'] ?? 443;
  if (typeof port === 'number' && (port < 1 || port > 65_535)) {
    const detail = 'port is not valid: must be between 1 and 65535, inclusive';
    problems.push(invalidValue(`${path}.port`, port, detail));
  }
  return problems;
}

const REVIEWS = ['v1', 'v1beta1'];

function reviewVersionProblems(versions: readonly string[]): FieldProblem[] {
  const path = `${PATH}.conversionReviewVersions`;
  if (versions.length === 0) return [required(path)];
  const problems: FieldProblem[] = [];
  versions.forEach((version, index) => {
    const at = `${path}[${index}]`;
    if (versions.indexOf(version) < index) problems.push(invalidValue(at, version, 'duplicate version'));
    else for (const text of dns1035Problems(version)) problems.push(invalidValue(at, version, text));
  });
  if (!versions.some((version) => REVIEWS.includes(version))) {
    problems.push(invalidValue(path, versions, `must include at least one of ${REVIEWS.join(', ')}`));
  }
  return problems;
}
