/** Why the webhook does not take a request, by status; titles are those of RFC 9110 and RFC 6585. */
const problems = {
  400: { title: 'Bad Request', detail: 'The request cannot be read.' },
  401: { title: 'Unauthorized', detail: 'The delivery is not authentic.' },
  404: { title: 'Not Found', detail: 'There is no such address.' },
  405: { title: 'Method Not Allowed', detail: 'Deliveries are sent with POST.' },
  408: { title: 'Request Timeout', detail: 'The request took too long to arrive.' },
  413: { title: 'Content Too Large', detail: 'The body is over the size limit.' },
  429: { title: 'Too Many Requests', detail: 'There are too many deliveries for this endpoint.' },
  431: { title: 'Request Header Fields Too Large', detail: 'The headers are over the size limit.' },
  500: { title: 'Internal Server Error', detail: 'The delivery was not taken.' },
  503: { title: 'Service Unavailable', detail: 'Deliveries cannot be taken now; send it again.' },
} as const;

/** The status of a problem. */
export type ProblemStatus = keyof typeof problems;

/** A refusal on its way to becoming an answer. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly statusCode: ProblemStatus;
  /** What the answer's headers say besides. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    statusCode: ProblemStatus,
    {
      headers = {},
      ...options
    }: { readonly cause?: unknown; readonly headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(problems[statusCode].detail, options);
    this.statusCode = statusCode;
    this.headers = headers;
  }
}

/** The media type of a problem (RFC 9457). */
export const PROBLEM_TYPE = 'application/problem+json';

/** The body of an answer with that status (RFC 9457); says nothing of what came in. */
export function problemBody(status: ProblemStatus): string {
  return JSON.stringify({ type: 'about:blank', status, ...problems[status] });
}

/** The status for anything that was thrown on the way; what is not a known refusal is a failure of ours. */
export function statusOf(error: unknown): ProblemStatus {
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500;
  return status in problems ? (status as ProblemStatus) : 500;
}
