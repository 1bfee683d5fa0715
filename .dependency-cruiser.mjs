// The border map (docs/ARCHITECTURE.md, "Rooms"): each room lists the rooms it may import; everything else is an error.
const ROOMS = {
  kit: [],
  model: ['kit'],
  schema: ['kit', 'model'],
  merge: ['kit', 'model', 'schema'],
  diff: ['kit', 'model', 'schema', 'merge'],
  health: ['kit', 'model'],
  plan: ['kit', 'model', 'schema', 'merge', 'diff', 'health'],
  inspect: ['kit', 'model', 'diff', 'health', 'plan'],
  render: ['kit', 'model', 'diff'],
  ports: ['kit', 'model'],
  wire: [],
  definitions: ['kit', 'model', 'schema', 'ports'],
  hooks: ['kit', 'model', 'ports', 'wire'],
  cluster: ['kit', 'model', 'ports', 'wire'],
  sandbox: ['kit', 'model', 'ports', 'schema', 'merge', 'health'],
  archive: ['kit', 'model', 'ports'],
  install: ['kit', 'model'],
  typescript: ['kit', 'model'],
  scaffold: ['kit', 'model', 'typescript'],
  sdk: ['kit', 'model'],
  reconcile: ['kit', 'model', 'ports', 'plan'],
  apply: ['kit', 'model', 'ports', 'plan', 'health'],
  loop: ['kit', 'model', 'ports', 'reconcile', 'apply'],
  daemon: ['kit', 'model', 'ports', 'loop'],
  shadow: ['kit', 'model', 'ports', 'merge', 'diff', 'plan', 'reconcile'],
  cli: ['kit', 'model', 'app', 'render'],
};
ROOMS.app = Object.keys(ROOMS).filter((r) => r !== 'cli');
const PURE = '^src/(kit|model|schema|merge|diff|health|plan|install|inspect|render)/';
const TEST = '[.]test[.]ts$';
const room = ([name, to]) => ({
  name: `room-${name}`,
  severity: 'error',
  comment: `${name}/ may import only: ${to.join(', ') || 'nothing'} (see docs/ARCHITECTURE.md)`,
  from: { path: `^src/${name}/`, pathNot: TEST },
  to: { path: '^(src|commands|bin)/', pathNot: `^src/(${[name, ...to].join('|')})/` },
});
const only = (name, where, packages) => ({
  name,
  severity: 'error',
  from: { path: '^(src|commands)/', pathNot: `^(${where})/` },
  to: { path: `node_modules/(${packages})/` },
});
export default {
  forbidden: [
    ...Object.entries(ROOMS).map(room),
    {
      name: 'commands-stay-thin',
      severity: 'error',
      from: { path: '^commands/', pathNot: TEST },
      to: { path: '^(src|commands)/', pathNot: '^src/(cli|app)/' },
    },
    { name: 'bin-to-oclif-only', severity: 'error', from: { path: '^bin/' }, to: { path: '^(src|commands)/' } },
    {
      name: 'pure-rooms-no-io',
      severity: 'error',
      from: { path: PURE, pathNot: TEST },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|util)$' },
    },
    {
      name: 'pure-rooms-few-packages',
      severity: 'error',
      comment: 'Add a pure package here when a pure room needs one.',
      from: { path: PURE, pathNot: TEST },
      to: { path: 'node_modules/', pathNot: 'node_modules/(diff|yaml|ajv|@marcbachmann|re2js)/' },
    },
    {
      name: 'only-apply-writes',
      severity: 'error',
      comment:
        'A cluster write may be issued by apply/ only; everyone else makes a Plan. A dry run is worded as the write is.',
      from: { path: '^src/', pathNot: ['^src/(apply|cluster|app|testing)/', '^src/ports/predict[.]ts$', TEST] },
      to: { path: '^src/ports/write[.]ts$' },
    },
    only('client-node-in-cluster-only', 'src/cluster', '@kubernetes'),
    only('undici-at-the-wire-only', 'src/wire|src/cluster|src/hooks', 'undici'),
    only('metrics-logs-traces-in-daemon-only', 'src/daemon', 'prom-client|pino|@opentelemetry'),
    only('file-watch-in-one-place', 'src/app', 'chokidar'),
    only('oclif-at-the-edge-only', 'src/cli|commands', '@oclif|listr2|cosmiconfig'),
    {
      name: 'enter-rooms-by-the-door',
      severity: 'error',
      comment: 'Import src/<room>/index.ts, not its inside (kit, model and ports are open shelves).',
      from: { path: '^(?:src/([^/]+)|commands)/', pathNot: TEST },
      to: { path: '^src/[^/]+/.+', pathNot: ['^src/$1/', '^src/[^/]+/index[.]ts$', '^src/(kit|model|ports)/'] },
    },
    {
      name: 'testing-for-tests-only',
      severity: 'error',
      from: { pathNot: [TEST, '^src/testing/'] },
      to: { path: '^src/testing/|[.]test[.]ts$' },
    },
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.js'],
    },
  },
};
