import { DocklineError } from '../../domain/errors.ts';
import type { Announcement, Extent, OutgoingAnnouncement, Receipt } from '../../domain/outgoing.ts';
import type { Permitted } from '../../domain/permission.ts';
import type { DestinationFilter } from '../../domain/routing.ts';
import { inSpan, type Tracing } from '../../domain/tracing.ts';
import { type AnnouncementForm, asSent, DATA, recordlessForm, thinnerForms } from '../announcements/announced-data.ts';

export interface Destination {
  /** Fails as a `DocklineError` with an `ERR_DESTINATION_` code. */
  send(announcement: Permitted<OutgoingAnnouncement>, signal: AbortSignal): Promise<Receipt>;
}

export interface Receiver extends Destination {
  readonly name: string;
  readonly filter: DestinationFilter;
}

/** Returns a failure that may be due to the size; throws every other one. */
type Attempt = (body: Buffer) => Promise<Receipt | DocklineError>;

/** In a span that continues the trace of the recording, in the largest form that fits. Each body is an attempt of what `begin` begins. */
export const sendingBy =
  (
    { tracing, ...extent }: Extent & { readonly tracing?: Tracing | undefined },
    kind: 'client' | 'producer',
    attributes: Readonly<Record<string, string>>,
    begin: (outgoing: OutgoingAnnouncement, signal: AbortSignal) => Attempt,
  ): Destination['send'] =>
  (outgoing, signal) => {
    const { id, body } = outgoing;
    const traces = TRACE.exec(body.slice(0, body.indexOf(DATA)))?.slice(1);
    const span = () => ({ kind, traces, attributes: { 'dockline.announcement': id, ...attributes } });
    return inSpan({ tracing }, 'announce', span, async () =>
      sendFitting(asSent(outgoing), extent, begin(outgoing, signal)),
    );
  };

const TRACE = /"traceparent":"([^"]+)"/;

async function sendFitting(announcement: Announcement, extent: Extent, attempt: Attempt): Promise<Receipt> {
  let tooLarge: DocklineError | undefined;
  for (const { body, leftOut } of candidates(announcement, extent)) {
    const outcome = await attempt(body);
    if (!(outcome instanceof DocklineError)) return { ...outcome, ...(leftOut && { leftOut }) };
    tooLarge = outcome;
  }
  throw tooLarge;
}

/** The whole, then the next smaller one, and the smallest. Composed on demand. */
function* candidates(announcement: Announcement, extent: Extent) {
  const { detail } = extent;
  const write = ({ body, leftOut }: AnnouncementForm) => ({ body: Buffer.from(body), leftOut });
  if (detail === 'advice' || detail === 'thin') {
    const form = recordlessForm(announcement, extent);
    yield write(form);
    const thin = recordlessForm(announcement, { ...extent, detail: 'thin' });
    if (thin.body !== form.body) yield write(thin);
    return;
  }
  yield write(announcement);
  const thinner = [...thinnerForms(announcement)];
  for (const form of thinner.length > 2 ? [...thinner.slice(0, 1), ...thinner.slice(-1)] : thinner) yield write(form);
}
