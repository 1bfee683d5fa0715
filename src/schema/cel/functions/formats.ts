// Kubernetes' named formats: format.dns1123Label().validate("a") is optional.none(), or the problems.

import { type Environment, Optional } from '@marcbachmann/cel-js';
import { formatCheck } from '../../validate/formats.ts';

class Format {
  readonly problem: (text: string) => string | undefined;
  constructor(problem: (text: string) => string | undefined) {
    this.problem = problem;
  }
}

class FormatNamespace {}

const LABEL = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const QUALIFIED = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';

const matching = (source: string, limit: number, what: string): Format => {
  const pattern = new RegExp(`^(?:${source})$`);
  return new Format((text) =>
    text.length <= limit && pattern.test(text) ? undefined : `${what} (regex used for validation is '${source}')`,
  );
};
const named = (format: string, what: string): Format =>
  new Format((text) => (formatCheck(format)?.(text) ? undefined : what));

const FORMATS: Readonly<Record<string, Format>> = {
  dns1123Label: matching(LABEL, 63, 'a lowercase RFC 1123 label'),
  dns1123Subdomain: matching(`${LABEL}(\\.${LABEL})*`, 253, 'a lowercase RFC 1123 subdomain'),
  dns1035Label: matching('[a-z]([-a-z0-9]*[a-z0-9])?', 63, 'a DNS-1035 label'),
  qualifiedName: matching(`(?:${LABEL}(\\.${LABEL})*/)?${QUALIFIED}`, 317, 'a qualified name'),
  dns1123LabelPrefix: matching(`${LABEL}-?`, 63, 'a lowercase RFC 1123 label'),
  dns1123SubdomainPrefix: matching(`${LABEL}(\\.${LABEL})*[-.]?`, 253, 'a lowercase RFC 1123 subdomain'),
  dns1035LabelPrefix: matching('[a-z]([-a-z0-9]*[a-z0-9])?-?', 63, 'a DNS-1035 label'),
  labelValue: matching(`(${QUALIFIED})?`, 63, 'a valid label'),
  uri: named('uri', 'invalid URL'),
  uuid: named('uuid', 'does not match the UUID format'),
  byte: named('byte', 'invalid base64'),
  date: named('date', 'invalid date'),
  datetime: named('date-time', 'invalid datetime'),
};

export function registerFormats(environment: Environment): void {
  environment
    .registerType('Format', { ctor: Format, fields: {} })
    .registerType('FormatNamespace', FormatNamespace)
    .registerConstant('format', 'FormatNamespace', new FormatNamespace())
    .registerFunction('FormatNamespace.named(string): optional<Format>', (_: unknown, name: string) =>
      Object.hasOwn(FORMATS, name) ? Optional.of(FORMATS[name]) : Optional.none(),
    )
    .registerFunction('Format.validate(string): optional<list<string>>', (format: Format, text: string) => {
      const problem = format.problem(text);
      return problem === undefined ? Optional.none() : Optional.of([problem]);
    });
  for (const [name, format] of Object.entries(FORMATS)) {
    environment.registerFunction(`FormatNamespace.${name}(): Format`, () => format);
  }
}
