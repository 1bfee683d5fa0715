// Names and label syntax of Kubernetes.

const DNS_LABEL = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?$/;
const DNS_SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LABEL_NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?$/;

/** RFC 1123 label, at most 63 characters: Namespaces, Services. */
export function isDnsLabel(text: string): boolean {
  return text.length <= 63 && DNS_LABEL.test(text);
}

/** RFC 1123 subdomain, at most 253 characters: most names. */
export function isDnsSubdomain(text: string): boolean {
  return text.length <= 253 && DNS_SUBDOMAIN.test(text);
}

/** A label key: an optional DNS prefix, a slash, a name of at most 63 characters. */
export function isLabelKey(text: string): boolean {
  const slash = text.indexOf('/');
  const name = text.slice(slash + 1);
  return (slash < 0 || isDnsSubdomain(text.slice(0, slash))) && name.length <= 63 && LABEL_NAME.test(name);
}

export function isLabelValue(text: string): boolean {
  return text === '' || (text.length <= 63 && LABEL_NAME.test(text));
}

/** The nearest name that Kubernetes accepts, for a hint; undefined when nothing is left of it. */
export function toDnsSubdomain(text: string): string | undefined {
  const name = text
    .toLowerCase()
    .replace(/[^a-z0-9.-]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
    .slice(0, 253);
  return isDnsSubdomain(name) ? name : undefined;
}
