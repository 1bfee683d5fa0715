// Owner references: background, foreground and orphan deletion. On a real cluster the garbage collector is another process
// that learns of new kinds and objects by watching, so every outcome is asked for until it is there.

import type { JsonObject } from '../../kit/json.ts';
import { absent, any, including, type RequestStep, type Topic } from './check.ts';
import { configMap, definition } from './objects.ts';

const owner = (name: string): RequestStep => ({
  send: 'POST {core}/configmaps',
  body: configMap(name),
  code: 201,
  save: { [name]: 'metadata.uid' },
});
const reference = (name: string, fields: JsonObject = {}): JsonObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  name,
  uid: `{${name}}`,
  ...fields,
});
const child = (name: string, ...ownerReferences: readonly JsonObject[]): RequestStep => ({
  send: 'POST {core}/configmaps',
  body: configMap(name, {}, { ownerReferences }),
  code: 201,
});
const remove = (name: string, propagationPolicy: string): RequestStep => ({
  send: `DELETE {core}/configmaps/${name}`,
  body: { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy },
  code: 200,
});
const gone = (name: string): RequestStep => ({ send: `GET {core}/configmaps/${name}`, code: 404, eventually: true });
const there = (name: string): RequestStep => ({ send: `GET {core}/configmaps/${name}`, code: 200 });

const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const PARENTS = '/apis/{group}/v1/namespaces/{ns}/parents';

export const garbageCollection: Topic = {
  name: 'garbage collection',
  needs: 'controllers',
  checks: [
    {
      name: 'background: the owner at once, the child after it',
      reason: 'the default for most deletes',
      steps: [owner('o'), child('c', reference('o')), remove('o', 'Background'), gone('o'), gone('c')],
    },
    {
      name: 'down a chain',
      reason: 'parents own children that own children',
      steps: [
        owner('o'),
        { ...child('m', reference('o')), save: { m: 'metadata.uid' } },
        child('c', reference('m')),
        remove('o', 'Background'),
        gone('m'),
        gone('c'),
      ],
    },
    {
      name: 'a second owner keeps the child',
      reason: 'a shared object lives as long as one owner does; the dead reference is taken off',
      steps: [
        owner('o'),
        owner('p'),
        child('c', reference('o'), reference('p')),
        remove('o', 'Background'),
        gone('o'),
        {
          send: 'GET {core}/configmaps/c',
          code: 200,
          want: { metadata: { ownerReferences: [{ name: 'p' }] } },
          eventually: true,
        },
        remove('p', 'Background'),
        gone('c'),
      ],
    },
    {
      name: 'children of objects whose definition goes',
      reason:
        "uninstalling an operator takes along what its objects own, although the owners' kind is no longer served",
      steps: [
        { send: `POST ${DEFINITIONS}`, body: definition('parents'), code: 201 },
        {
          send: `POST ${PARENTS}`,
          body: { apiVersion: '{group}/v1', kind: 'Parent', metadata: { name: 'o' } },
          code: 201,
          save: { o: 'metadata.uid' },
          eventually: true,
        },
        child('c', { apiVersion: '{group}/v1', kind: 'Parent', name: 'o', uid: '{o}' }),
        // The collector looks for new kinds every half minute: what it takes along shows that it knows this one.
        {
          send: `POST ${PARENTS}`,
          body: { apiVersion: '{group}/v1', kind: 'Parent', metadata: { name: 'p' } },
          code: 201,
          save: { p: 'metadata.uid' },
        },
        child('d', { apiVersion: '{group}/v1', kind: 'Parent', name: 'p', uid: '{p}' }),
        { send: `DELETE ${PARENTS}/p`, code: 200 },
        gone('d'),
        { send: `DELETE ${DEFINITIONS}/parents.{group}`, code: 200 },
        gone('c'),
      ],
    },
    {
      name: 'a child of an owner that never was',
      reason: 'a reference by a uid that nobody has is a reference to nothing',
      steps: [
        owner('o'),
        child('c', reference('o', { uid: '00000000-0000-0000-0000-000000000000' })),
        gone('c'),
        there('o'),
      ],
    },
    {
      name: 'orphan: the child stays, without the reference',
      reason: 'kubectl delete --cascade=orphan',
      steps: [
        owner('o'),
        child('c', reference('o')),
        { ...remove('o', 'Orphan'), want: { metadata: { finalizers: including('orphan'), deletionTimestamp: any } } },
        gone('o'),
        { send: 'GET {core}/configmaps/c', code: 200, want: { metadata: { ownerReferences: absent } } },
      ],
    },
    {
      name: 'foreground: the owner waits for a child that blocks',
      reason: 'the child has a finalizer of its own, so the owner must be seen waiting',
      steps: [
        owner('o'),
        {
          send: 'POST {core}/configmaps',
          body: configMap(
            'c',
            {},
            {
              finalizers: ['example.com/x'],
              ownerReferences: [reference('o', { blockOwnerDeletion: true })],
            },
          ),
          code: 201,
        },
        {
          ...remove('o', 'Foreground'),
          want: { kind: 'ConfigMap', metadata: { finalizers: ['foregroundDeletion'], deletionTimestamp: any } },
        },
        {
          send: 'GET {core}/configmaps/c',
          code: 200,
          want: { metadata: { deletionTimestamp: any } },
          eventually: true,
        },
        there('o'),
        { send: 'PATCH {core}/configmaps/c', as: 'merge', body: { metadata: { finalizers: null } }, code: 200 },
        gone('c'),
        gone('o'),
      ],
    },
    {
      name: 'foreground: the owner does not wait for a child that does not block',
      reason: 'blockOwnerDeletion says who waits',
      steps: [
        owner('o'),
        {
          send: 'POST {core}/configmaps',
          body: configMap('c', {}, { finalizers: ['example.com/x'], ownerReferences: [reference('o')] }),
          code: 201,
        },
        remove('o', 'Foreground'),
        gone('o'),
        {
          send: 'GET {core}/configmaps/c',
          code: 200,
          want: { metadata: { deletionTimestamp: any } },
          eventually: true,
        },
        { send: 'PATCH {core}/configmaps/c', as: 'merge', body: { metadata: { finalizers: null } }, code: 200 },
        gone('c'),
      ],
    },
    {
      name: 'foreground without children',
      reason: 'nothing to wait for, but the answer is the marked object all the same',
      steps: [owner('o'), { ...remove('o', 'Foreground'), want: { metadata: { deletionTimestamp: any } } }, gone('o')],
    },
    {
      name: 'the reference taken off before the delete',
      reason: 'release: what is no longer owned is no longer collected',
      steps: [
        owner('o'),
        child('c', reference('o')),
        { send: 'PATCH {core}/configmaps/c', as: 'merge', body: { metadata: { ownerReferences: null } }, code: 200 },
        child('d', reference('o')),
        remove('o', 'Background'),
        gone('d'),
        there('c'),
      ],
    },
    {
      name: 'a child with a finalizer is marked',
      reason: 'the collector deletes like any client',
      steps: [
        owner('o'),
        {
          send: 'POST {core}/configmaps',
          body: configMap('c', {}, { finalizers: ['example.com/x'], ownerReferences: [reference('o')] }),
          code: 201,
        },
        remove('o', 'Background'),
        {
          send: 'GET {core}/configmaps/c',
          code: 200,
          want: { metadata: { deletionTimestamp: any } },
          eventually: true,
        },
        { send: 'PATCH {core}/configmaps/c', as: 'merge', body: { metadata: { finalizers: null } }, code: 200 },
        gone('c'),
      ],
    },
    {
      name: 'secrets owned by a ConfigMap',
      reason: 'owners and children may be of different kinds',
      steps: [
        owner('o'),
        {
          send: 'POST {core}/secrets',
          body: { apiVersion: 'v1', kind: 'Secret', metadata: { name: 'c', ownerReferences: [reference('o')] } },
          code: 201,
        },
        remove('o', 'Background'),
        { send: 'GET {core}/secrets/c', code: 404, eventually: true },
      ],
    },
  ],
};
