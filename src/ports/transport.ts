/** One HTTP exchange with an API server: over the network (src/cluster) or inside the process (src/sandbox). */
export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with query, as after the host: "/api/v1/pods?limit=500". */
  readonly path: string;
  /** Lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Text; of a binary type (protobuf) one character a byte. */
  readonly body?: string;
  /** A watch: may stay open for minutes and must not hold back other requests. */
  readonly longLived?: boolean;
  readonly signal?: AbortSignal;
}

export interface ApiResponse {
  readonly status: number;
  /** Lower-case names. Repeated headers (Warning) joined by ", ". */
  readonly headers: Readonly<Record<string, string>>;
  /** The body in pieces, as they come. Read once: either this or text(). */
  readonly body: AsyncIterable<Uint8Array>;
  text(): Promise<string>;
}

/** Throws ConnectionError when no answer could be had; an answer of any status is a response. */
export interface Transport {
  request(request: ApiRequest): Promise<ApiResponse>;
  /** Ends idle connections; requests in flight are aborted. */
  close(): Promise<void>;
}
