// The whole suite.

import type { Topic } from './check.ts';
import { create } from './create.ts';
import { customResourceDefinitions } from './definitions.ts';
import { deletion } from './deletion.ts';
import { discovery } from './discovery.ts';
import { fieldValidation } from './field-validation.ts';
import { finalizers } from './finalizers.ts';
import { garbageCollection } from './garbage-collection.ts';
import { generation } from './generation.ts';
import { get } from './get.ts';
import { jsonPatch } from './json-patch.ts';
import { lists } from './lists.ts';
import { mergePatch } from './merge-patch.ts';
import { metadata } from './metadata.ts';
import { names } from './names.ts';
import { namespaces } from './namespaces.ts';
import { selectors } from './selectors.ts';
import { statusSubresource } from './status-subresource.ts';
import { strategicPatch } from './strategic-patch.ts';
import { update } from './update.ts';
import { watchSelectors } from './watch-selectors.ts';
import { watches } from './watches.ts';
import { dryRun, secrets, values } from './writes.ts';

export const TOPICS: readonly Topic[] = [
  create,
  get,
  lists,
  selectors,
  watches,
  watchSelectors,
  update,
  statusSubresource,
  generation,
  mergePatch,
  jsonPatch,
  strategicPatch,
  fieldValidation,
  deletion,
  finalizers,
  garbageCollection,
  names,
  metadata,
  namespaces,
  customResourceDefinitions,
  discovery,
  dryRun,
  secrets,
  values,
];
