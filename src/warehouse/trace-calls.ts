import type { Tracing } from '../domain/tracing.ts';
import type { ApiObserver } from './client/api.ts';

/** Adds a span for each GET to its retrieval. The warehouse is told nothing of it. */
export function traceCalls(observer: ApiObserver | undefined, tracing: Tracing | undefined): ApiObserver | undefined {
  if (!tracing) return observer;
  return {
    called(call) {
      const { operation, status, ms } = call;
      observer?.called(call);
      const attributes = { 'http.request.method': 'GET', 'http.response.status_code': status ?? undefined };
      const error = status === null ? 'no answer' : status >= 400 ? `answered ${status}` : undefined;
      tracing.ended(`GET ${operation}`, { kind: 'client', ms, error, attributes });
    },
    waited: (ms) => observer?.waited(ms),
    tokenRequested: (outcome) => observer?.tokenRequested(outcome),
  };
}
