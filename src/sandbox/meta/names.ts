// Names, label keys and values: the server's rules and texts (apimachinery's validation package).

const LABEL_TEXT = '[a-z0-9]([-a-z0-9]*[a-z0-9])?';
const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const QUALIFIED_TEXT = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]';
const QUALIFIED = /^([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$/;
const LABEL_VALUE = /^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$/;

const SUBDOMAIN_PROBLEM =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";
const LABEL_PROBLEM = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '${LABEL_TEXT}')`;
const QUALIFIED_CHARACTERS = `must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '${QUALIFIED_TEXT}')`;
const LABEL_VALUE_PROBLEM =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";

export type NameRule = (name: string) => string[];

/** DNS-1123 subdomain: most kinds. */
export function subdomainProblems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 253) problems.push('must be no more than 253 characters');
  if (!SUBDOMAIN.test(name)) problems.push(SUBDOMAIN_PROBLEM);
  return problems;
}

/** DNS-1123 label: namespaces, services. */
export function labelProblems(name: string): string[] {
  if (name.includes('.')) return ['must not contain dots'];
  const problems: string[] = [];
  if (name.length > 63) problems.push('must be no more than 63 characters');
  if (!LABEL.test(name)) problems.push(LABEL_PROBLEM);
  return problems;
}

const DNS_1035 = /^[a-z]([-a-z0-9]*[a-z0-9])?$/;
const DNS_1035_PROBLEM =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')";

/** DNS-1035 label: names of kinds and versions. */
export function dns1035Problems(name: string): string[] {
  const problems: string[] = [];
  if (name.length > 63) problems.push('must be no more than 63 characters');
  if (!DNS_1035.test(name)) problems.push(DNS_1035_PROBLEM);
  return problems;
}

/** Anything that can stand in a URL path: RBAC roles and bindings. */
export function pathSegmentProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`];
  return ['/', '%'].filter((c) => name.includes(c)).map((c) => `may not contain '${c}'`);
}

/** Label and annotation keys, finalizers: "name" or "prefix/name". */
export function qualifiedNameProblems(key: string): string[] {
  const parts = key.split('/');
  if (parts.length > 2) {
    return [
      `a valid label key ${QUALIFIED_CHARACTERS} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ];
  }
  const problems: string[] = [];
  const name = parts.at(-1) ?? '';
  if (parts.length === 2) {
    const prefix = parts[0] ?? '';
    if (prefix === '') problems.push('prefix part must be non-empty');
    else problems.push(...subdomainProblems(prefix).map((problem) => `prefix part ${problem}`));
  }
  if (name === '') problems.push('name part must be non-empty');
  else if (name.length > 63) problems.push('name part must be no more than 63 bytes');
  if (!QUALIFIED.test(name)) problems.push(`name part ${QUALIFIED_CHARACTERS}`);
  return problems;
}

export function labelValueProblems(value: string): string[] {
  const problems: string[] = [];
  if (value.length > 63) problems.push('must be no more than 63 bytes');
  if (!LABEL_VALUE.test(value)) problems.push(LABEL_VALUE_PROBLEM);
  return problems;
}

const RULES: Readonly<Record<string, NameRule>> = {
  namespaces: labelProblems,
  services: labelProblems,
  'roles.rbac.authorization.k8s.io': pathSegmentProblems,
  'rolebindings.rbac.authorization.k8s.io': pathSegmentProblems,
  'clusterroles.rbac.authorization.k8s.io': pathSegmentProblems,
  'clusterrolebindings.rbac.authorization.k8s.io': pathSegmentProblems,
  'statefulsets.apps': labelProblems,
};

export function nameRuleOf(kindId: string): NameRule {
  return RULES[kindId] ?? subdomainProblems;
}
