#!/usr/bin/env node
// As run.js, from the sources as they are now: builds first when something changed.
import { build } from '../tools/build.ts';

await build();
await import('./run.js');
