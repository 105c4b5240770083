import { trackingUrl } from '../../domain/kinds/order/shipment.ts';
import { html, type Markup } from './html.ts';
import { untrusted } from './text.ts';

/** No link without a known page. */
export const copiedTracking = (number: string, carrier?: string): Markup =>
  html`<div class="id"><span id="tracking-${number}">${trackingLink(number, carrier)}</span> <button class="quiet" type="button" data-copies="tracking-${number}">Copy</button></div>`;

/** No link for a carrier without a known page. */
export function trackingLink(number: string, carrier = ''): Markup {
  const url = trackingUrl(number, carrier);
  return url === undefined ? untrusted(number, 60) : html`<a href="${url}" rel="noreferrer">${number}</a>`;
}
