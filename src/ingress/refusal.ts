import { Problem, statusOf } from '../http/problem.ts';

/** `headers` go with every refusal. */
const refusals = {
  400: { detail: 'The request cannot be read.' },
  401: { detail: 'The delivery is not authentic.' },
  404: { detail: 'There is no such address.' },
  405: { detail: 'Deliveries are sent with POST.', headers: { allow: 'POST' } },
  413: { detail: 'The body exceeds the size limit.' },
  429: { detail: 'Too many requests came; send it again later.' },
  500: { detail: 'The delivery was not accepted.' },
  503: { detail: 'Deliveries cannot be accepted now; send it again.', headers: { 'retry-after': '5' } },
} as const;

type RefusalStatus = keyof typeof refusals;

/** Reveals nothing of what was sent. */
export function refusal(
  status: RefusalStatus,
  options: ConstructorParameters<typeof Problem>[2] & { readonly detail?: string } = {},
): Problem {
  const { detail, ...rest } = { ...refusals[status], ...options };
  return new Problem(status, detail, rest);
}

/** 500 for an unknown error. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  const status = statusOf(error);
  return refusal(status in refusals ? (status as RefusalStatus) : 500);
}
