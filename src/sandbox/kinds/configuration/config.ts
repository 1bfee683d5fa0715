// ConfigMap and Secret.

import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonEqual,
  type MutableJsonObject,
  setOwn,
} from '../../../kit/json.ts';
import type { KubeObject } from '../../../model/object.ts';
import { jsonProblem } from '../../http/json-text.ts';
import { configKeyProblems } from '../../meta/config-keys.ts';
import { setProblems } from '../../meta/validate.ts';
import { fields, IMMUTABLE, keysOf, type Report, text } from '../report.ts';
import type { KindRules } from '../rules.ts';

const SIZE_LIMIT = 1024 * 1024;
const FROZEN = 'field is immutable when `immutable` is set';
const ACCOUNT = 'kubernetes.io/service-account.name';
const REDACTED = '<secret contents redacted>';

const textSize = (value: JsonValue | undefined): number => Buffer.byteLength(text(value));
const base64Size = (value: JsonValue | undefined): number => Buffer.byteLength(text(value), 'base64');

function sizeOf(data: JsonObject, size: (value: JsonValue | undefined) => number): number {
  let total = 0;
  for (const key of Object.keys(data)) total += size(data[key]);
  return total;
}

function checkConfigMap(report: Report, object: KubeObject): void {
  const { data, binaryData } = object;
  report.problems.push(...configKeyProblems(data, binaryData));
  if (sizeOf(fields(data), textSize) + sizeOf(fields(binaryData), base64Size) > SIZE_LIMIT)
    report.tooLong('[]', SIZE_LIMIT);
}

function checkFrozen(report: Report, before: KubeObject, after: KubeObject): void {
  if (before['immutable'] !== true) return;
  if (after['immutable'] !== true) report.forbidden('immutable', FROZEN);
  for (const name of ['data', 'binaryData']) if (!jsonEqual(before[name], after[name])) report.forbidden(name, FROZEN);
}

export const CONFIG_MAP: KindRules = {
  check: checkConfigMap,
  checkUpdate: (report, before, after) => {
    checkFrozen(report, before, after);
    // This kind's own check of an update looks at metadata two times more.
    for (let time = 0; time < 2; time++) report.problems.push(...setProblems(after.metadata, false));
    checkConfigMap(report, after);
  },
};

/** A Secret's stringData is laid over data, encoded, and not kept. */
export function withEncodedData(object: KubeObject): KubeObject {
  const { stringData, ...rest } = object;
  if (!isJsonObject(stringData)) return rest as KubeObject;
  const data: MutableJsonObject = {};
  for (const key of Object.keys(fields(rest['data']))) setOwn(data, key, fields(rest['data'])[key]);
  for (const key of Object.keys(stringData)) setOwn(data, key, Buffer.from(text(stringData[key])).toString('base64'));
  const { data: _data, type, ...others } = rest;
  return { ...others, ...(Object.keys(data).length > 0 ? { data } : {}), type } as unknown as KubeObject;
}

/** Keys that a type of Secret must have. */
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  'kubernetes.io/ssh-auth': ['ssh-privatekey'],
  'kubernetes.io/tls': ['tls.crt', 'tls.key'],
  'kubernetes.io/dockercfg': ['.dockercfg'],
  'kubernetes.io/dockerconfigjson': ['.dockerconfigjson'],
};

function checkSecret(report: Report, object: KubeObject): void {
  const data = fields(object['data']);
  report.problems.push(...configKeyProblems(data));
  if (sizeOf(data, base64Size) > SIZE_LIMIT) report.tooLong('data', SIZE_LIMIT);
  const type = text(object['type']);
  if (type === 'kubernetes.io/service-account-token' && !object.metadata.annotations?.[ACCOUNT])
    report.required(`metadata.annotations[${ACCOUNT}]`);
  if (type === 'kubernetes.io/basic-auth' && data['username'] === undefined && data['password'] === undefined) {
    report.required('data[username]');
    report.required('data[password]');
  }
  for (const key of NEEDED[type] ?? []) checkNeeded(report, key, data, type);
  if (type === 'kubernetes.io/tls' && keysOf(data).includes('tls.crt')) warnCertificate(report, data);
}

function checkNeeded(report: Report, key: string, data: JsonObject, type: string): void {
  const given = data[key];
  // A private key may not even be empty; the others only have to be there.
  if (given === undefined || (type === 'kubernetes.io/ssh-auth' && given === '')) {
    report.required(`data[${key}]`);
    return;
  }
  if (!key.startsWith('.docker')) return;
  const json = Buffer.from(text(given), 'base64').toString();
  const problem = jsonProblem(json);
  if (problem !== undefined) report.invalid(`data[${key}]`, REDACTED, problem);
}

function warnCertificate(report: Report, data: JsonObject): void {
  const pem = Buffer.from(text(data['tls.crt']), 'base64').toString();
  if (!pem.includes('-----BEGIN')) report.warnings.push('tls: failed to find any PEM data in certificate input');
}

export const SECRET: KindRules = {
  check: checkSecret,
  checkUpdate: (report, before, after) => {
    if (before['type'] !== after['type']) report.invalid('type', after['type'], IMMUTABLE);
    checkFrozen(report, before, after);
    checkSecret(report, after);
  },
};
