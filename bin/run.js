#!/usr/bin/env node
// Starts the command line. Written in the JavaScript of old Nodes on purpose: on one that is too old it must get as far
// as saying so. Everything else is in src/cli/main.ts.
const major = Number(process.versions.node.split('.')[0]);
const minor = Number(process.versions.node.split('.')[1]);
if (major < 22 || (major === 22 && minor < 22)) {
  process.stderr.write(
    'metactl needs Node 22.22 or newer, and this is ' +
      process.versions.node +
      '.\n' +
      'In a clone of the repository "npm run metactl -- ARGUMENTS" brings its own Node.\n',
  );
  process.exit(1);
} else {
  start().catch((error) => {
    process.stderr.write(`${String(error?.stack ?? error)}\n`);
    process.exit(1);
  });
}

async function start() {
  if (process.argv[2] === 'daemon') await withOwnHeap();
  const nodeModule = await import('node:module');
  nodeModule.enableCompileCache();
  let main;
  try {
    main = await import('../dist/src/cli/main.js');
  } catch (error) {
    if (error.code !== 'ERR_MODULE_NOT_FOUND' || !String(error.message).includes('main.js')) throw error;
    process.stderr.write('metactl is not built yet: run "npm run build".\n');
    process.exit(1);
  }
  const { fileURLToPath } = await import('node:url');
  await main.main(process.argv.slice(2), fileURLToPath(new URL('..', import.meta.url)));
}

/** A daemon begins anew with the heap that is right for it, and that a container's limit allows: V8 takes that only from the command line. */
async function withOwnHeap() {
  const said = [...process.execArgv, process.env.NODE_OPTIONS].join(' ').replaceAll('_', '-');
  if (/--max-(old|semi)-space-size/.test(said) || typeof process.execve !== 'function') return;
  const { heapFlags } = await import('./heap-limit.js');
  const flags = heapFlags(process.env.METACTL_SYSTEM_ROOT ?? '/');
  process.execve(process.execPath, [process.execPath, ...process.execArgv, ...flags, ...process.argv.slice(1)]);
}
