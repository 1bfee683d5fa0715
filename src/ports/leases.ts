/** Of coordination.k8s.io/v1, what an election needs. */
export interface LeaseRecord {
  readonly name: string;
  readonly namespace: string;
  /** "": given up. */
  readonly holder: string;
  readonly durationSeconds: number;
  /** RFC 3339 with microseconds. */
  readonly acquireTime: string;
  readonly renewTime: string;
  /** How often it went from one holder to another. */
  readonly transitions: number;
  /** All of them, other people's too: a write replaces them. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Of the object that this was read from; a write holds only while it is still so. */
  readonly resourceVersion?: string;
}

export interface Leases {
  /** undefined: there is none. Throws ApiError, ConnectionError. */
  getLease(namespace: string, name: string, signal?: AbortSignal): Promise<LeaseRecord | undefined>;
  /** Creates it where there is no resourceVersion, else replaces it. Throws ApiError (409: somebody was faster). */
  putLease(record: LeaseRecord, signal?: AbortSignal): Promise<LeaseRecord>;
  /** Those with these labels, as of now and no earlier. Throws ApiError, ConnectionError. */
  listLeases(namespace: string, labelSelector: string, signal?: AbortSignal): Promise<readonly LeaseRecord[]>;
  /** Only while it is as it was read; one that is gone is no error. Throws ApiError (409: it has changed), ConnectionError. */
  deleteLease(record: LeaseRecord, signal?: AbortSignal): Promise<void>;
}
