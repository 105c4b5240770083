import { html, type Markup } from './html.ts';
import { untrusted } from './text.ts';

/** Pages of carriers that show where a parcel is, by how the carrier's name begins. */
const pages: readonly (readonly [RegExp, string])[] = [
  [/^ups\b/i, 'https://www.ups.com/track?tracknum='],
  [/^fed ?ex/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/^usps|postal service/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/^dhl/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
];

/** Shows a tracking number, as a link where the carrier is known to have a page for it. */
export function trackingLink(number: string, carrier = ''): Markup {
  const page = pages.find(([name]) => name.test(carrier))?.[1];
  if (page === undefined || !/^[\w-]{6,40}$/.test(number)) return untrusted(number, 60);
  return html`<a href="${page}${encodeURIComponent(number)}" rel="noreferrer">${number}</a>`;
}
