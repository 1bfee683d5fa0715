// npm run bench [-- NAME…]: measures and writes docs/benchmarks.md. Names: the keys below.

import { build } from '../tools/build.ts';
import { type Section, sectionText, writeSection } from './report.ts';
import { applyTopic } from './topics/apply.ts';
import { daemonTopic } from './topics/daemon.ts';
import { decorateTopic } from './topics/decorate.ts';
import { idleTopic } from './topics/idle.ts';
import { largeClusterTopic } from './topics/large-cluster.ts';
import { mapTopic } from './topics/map.ts';
import { planTopic } from './topics/plan.ts';
import { rolloutTopic } from './topics/rollout.ts';
import { sandboxTopic } from './topics/sandbox.ts';
import { serverSideApplyTopic } from './topics/server-side-apply.ts';
import { shardsTopic } from './topics/shards.ts';
import { snapshotWeekTopic } from './topics/snapshot-week.ts';
import { startTopic } from './topics/start.ts';

const TOPICS: Readonly<Record<string, () => Promise<Section>>> = {
  start: startTopic,
  plan: planTopic,
  apply: applyTopic,
  rollout: rolloutTopic,
  map: mapTopic,
  daemon: daemonTopic,
  idle: idleTopic,
  decorate: decorateTopic,
  'snapshot-week': snapshotWeekTopic,
  shards: shardsTopic,
  'large-cluster': largeClusterTopic,
  'server-side-apply': serverSideApplyTopic,
  sandbox: sandboxTopic,
};

const names = process.argv.slice(2);
const unknown = names.filter((name) => !Object.hasOwn(TOPICS, name));
if (unknown.length > 0) {
  console.error(`there is no topic ${unknown.join(', ')}; there are: ${Object.keys(TOPICS).join(', ')}`);
  process.exit(1);
}
await build();
for (const [name, topic] of Object.entries(TOPICS)) {
  if (names.length > 0 && !names.includes(name)) continue;
  const text = sectionText(await topic());
  console.log(`${text}\n`);
  writeSection(name, text);
}
process.exit(0);
