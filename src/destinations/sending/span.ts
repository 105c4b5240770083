import type { Announcement } from '../../domain/outgoing.ts';
import type { SpanOptions } from '../../domain/tracing.ts';
import { DATA } from '../announcements/announced-data.ts';

/** Describes the span of an attempt, which continues the trace of the recording. */
export const spanOf = (
  { id, body }: Announcement,
  kind: 'client' | 'producer',
  attributes: Readonly<Record<string, string>>,
): SpanOptions => ({
  kind,
  traces: TRACE.exec(body.slice(0, body.indexOf(DATA)))?.slice(1),
  attributes: { 'dockline.announcement': id, ...attributes },
});

/** Trace among the attributes of an announcement. */
const TRACE = /"traceparent":"([^"]+)"/;
