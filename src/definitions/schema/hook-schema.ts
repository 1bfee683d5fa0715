import { etagField, securityFields } from './transport-fields.ts';
import { type FieldSchema, integer, list, object, text, textMap } from './types.ts';

const timeoutField = text('How long one call may take, as a Go duration. Zero or less means the default.', {
  default: '10s',
  examples: ['10s'],
});

const responseModeField = text(
  '`strict`: unknown and duplicated fields of the answer are errors. Default: strict for version v2, loose for v1.',
  { enum: ['loose', 'strict'] },
);

const webhookField = object('An HTTP endpoint: either `url`, or `service` and `path`.', {
  url: text('Absolute http(s) URL. Wins over service and path.', { examples: ['http://my-hook.my-namespace/sync'] }),
  path: text('Path on the service.', { examples: ['/sync'] }),
  service: object('A Service in the cluster.', {
    'name*': text('Name of the Service.', { examples: ['my-hook'] }),
    'namespace*': text('Namespace of the Service.', { examples: ['my-namespace'] }),
    port: integer('Port of the Service.', { default: 80, minimum: 1, maximum: 65_535 }),
    protocol: text('Scheme of the URL.', { default: 'http', enum: ['http', 'https'] }),
  }),
  timeout: timeoutField,
  responseUnMarshallMode: responseModeField,
  etag: etagField,
  ...securityFields,
});

const execField = object(
  'A program that reads the request as JSON from standard input and writes the answer to standard output. ' +
    'metactl only: Metacontroller does not know it.',
  {
    'command*': list(
      'Program and arguments. It runs in the directory of the definition file.',
      { type: 'string', description: 'One argument.' },
      { minItems: 1, examples: [['python3', 'hook.py']] },
    ),
    mode: text('`once`: a process a call. `stream`: one process, one line of JSON per request and per answer.', {
      enum: ['once', 'stream'],
      default: 'once',
    }),
    env: textMap('Environment variables set for the program.', { default: {} }),
    timeout: timeoutField,
    responseUnMarshallMode: responseModeField,
  },
);

const moduleField = object(
  'A JavaScript or TypeScript module whose function is the hook. metactl only: Metacontroller does not know it.',
  {
    'path*': text('File, relative to the definition file.', { examples: ['./hook.ts'] }),
    export: text('Name of the exported function. Default: the name of the hook.', { examples: ['sync'] }),
    timeout: timeoutField,
    responseUnMarshallMode: responseModeField,
  },
);

const jsonnetField = object(
  'A Jsonnet program that evaluates to a function of one parameter, `request`. metactl only: Metacontroller does not know it.',
  {
    'path*': text('File, relative to the definition file.', { examples: ['./sync.jsonnet'] }),
    importPaths: list(
      'Directories where imports are looked for, in this order, after that of the importing file and that of the definition ' +
        'file, which they are relative to. Files elsewhere can not be imported.',
      text('One directory.', { examples: ['./vendor'] }),
      { default: [] },
    ),
    timeout: timeoutField,
    responseUnMarshallMode: responseModeField,
  },
);

export const HOOK_KINDS = ['webhook', 'exec', 'module', 'jsonnet'] as const;

/** One hook; `extra` marks hooks that can't be honoured. */
export function hookField(description: string, extra: Partial<FieldSchema> = {}): FieldSchema {
  return object(
    `${description} Exactly one of webhook, exec, module, jsonnet.`,
    {
      version: text('Shape of request and answer.', { enum: ['v1', 'v2'], default: 'v1' }),
      sideEffects: text(
        'What a call changes outside of its answer: `None`, `NoneOnDryRun`, `Unknown`. Default: Unknown for webhooks, ' +
          'None for the others. metactl only.',
        { enum: ['None', 'NoneOnDryRun', 'Unknown'] },
      ),
      webhook: webhookField,
      exec: execField,
      module: moduleField,
      jsonnet: jsonnetField,
    },
    { oneOf: HOOK_KINDS.map((kind) => ({ required: [kind] })), ...extra },
  );
}
