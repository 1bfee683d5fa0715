import { stringifyJson } from '../../kit/json.ts';

/** An answer that the HTTP front gives by itself, as the metav1.Status that clients of an API server understand. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly code: number;
  readonly reason: string;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.code = code;
    this.reason = reason;
  }

  body(): string {
    const { message, reason, code } = this;
    return stringifyJson({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });
  }
}
