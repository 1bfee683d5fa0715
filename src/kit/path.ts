// A place inside an object, for people: spec.template.spec.containers[name=web].image

/** A map key, a list index, or the key=value that identifies an item of an associative list. */
export type PathElement = string | number | { readonly key: string; readonly value: string | number | boolean };
export type Path = readonly PathElement[];

const PLAIN_KEY = /^[A-Za-z_$][\w$-]*$/;

/** The path as text; "" for the root. Keys that are not plain words are quoted: metadata.labels["app.kubernetes.io/name"]. */
export function formatPath(path: Path): string {
  let text = '';
  for (const element of path) {
    if (typeof element === 'number') text += `[${element}]`;
    else if (typeof element === 'object') text += `[${element.key}=${element.value}]`;
    else if (PLAIN_KEY.test(element)) text += text === '' ? element : `.${element}`;
    else text += `[${JSON.stringify(element)}]`;
  }
  return text;
}
