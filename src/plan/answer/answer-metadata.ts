// The labels and annotations of a decorator's answer: what the server would refuse, and what is not a hook's to set.

import { isJsonObject, type JsonValue, type MutableJsonObject, setOwn } from '../../kit/json.ts';
import { isLabelKey, isLabelValue } from '../../model/names.ts';
import { nameOf, type Report } from './answer-words.ts';

/** null: it is taken off. */
export type Edits = Readonly<Record<string, string | null>>;

/** The server's limit on all annotations of an object, keys and values. */
const MOST_ANNOTATION_BYTES = 256 * 1024;

const QUOTE = 'Label and annotation values are strings: quote them. null takes one off.';
const LABEL_HINT = 'Letters, digits, "-", "_" and ".", at most 63; it starts and ends with a letter or a digit.';

export function checkLabels(value: JsonValue | undefined, report: Report): Edits {
  return checkEdits('labels', value, report, (key, text) => {
    if (text === null || isLabelValue(text)) return;
    report('answer-invalid', `labels[${JSON.stringify(key)}]`, 'is not a label value', LABEL_HINT);
  });
}

export function checkAnnotations(value: JsonValue | undefined, report: Report): Edits {
  let bytes = 0;
  const edits = checkEdits('annotations', value, report, (key, text) => {
    bytes += Buffer.byteLength(key) + Buffer.byteLength(text ?? '');
  });
  if (bytes > MOST_ANNOTATION_BYTES)
    report('answer-invalid', 'annotations', `are ${bytes} bytes; an object holds ${MOST_ANNOTATION_BYTES} at most`);
  return edits;
}

type CheckValue = (key: string, value: string | null) => void;

function checkEdits(field: string, value: JsonValue | undefined, report: Report, checkValue: CheckValue): Edits {
  if (value === undefined || value === null) return {};
  if (!isJsonObject(value)) {
    report('answer-invalid', field, `is ${nameOf(value)}, not an object`);
    return {};
  }
  const edits: MutableJsonObject = {};
  for (const [key, text] of Object.entries(value)) {
    const path = `${field}[${JSON.stringify(key)}]`;
    checkKey(key, { field, path, report });
    if (text !== null && typeof text !== 'string')
      report('answer-invalid', path, `is ${nameOf(text)}, not a string`, QUOTE);
    else {
      checkValue(key, text);
      setOwn(edits, key, text);
    }
  }
  return edits as Edits;
}

/** Kept by controllers and by kubectl in the object itself: who else writes them breaks what they stand for. */
const RESERVED_DOMAINS = ['metactl.dev', 'metacontroller.k8s.io', 'kubectl.kubernetes.io'];

interface KeyPlace {
  readonly field: string;
  readonly path: string;
  readonly report: Report;
}

function checkKey(key: string, { field, path, report }: KeyPlace): void {
  const one = field === 'labels' ? 'label' : 'annotation';
  // The server does not mind capitals in the prefix of an annotation.
  if (!isLabelKey(field === 'labels' ? key : key.toLowerCase()))
    report('answer-invalid', path, `is not ${one === 'label' ? 'a label' : 'an annotation'} key`, KEY_HINT);
  const domain = key.includes('/') ? key.slice(0, key.indexOf('/')).toLowerCase() : '';
  const reserved = RESERVED_DOMAINS.find((name) => domain === name || domain.endsWith(`.${name}`));
  if (reserved === undefined && key !== NAMESPACE_NAME) return;
  const whose = reserved === undefined ? 'the API server, which sets it' : `what ${reserved} stands for`;
  report('answer-invalid', path, `is reserved for ${whose}`, 'Use a name of your own domain.');
}

const KEY_HINT =
  'A name of at most 63 letters, digits, "-", "_" and ".", which starts and ends with a letter or a digit; a DNS name and "/" may stand before it.';
const NAMESPACE_NAME = 'kubernetes.io/metadata.name';
