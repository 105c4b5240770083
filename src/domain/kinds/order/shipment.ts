import { z } from 'zod';
import { readId, readText } from '../../wire-values.ts';
import {
  amount,
  derived,
  field,
  hidden,
  id,
  list,
  listsAt,
  type Member,
  section,
  text,
  texts,
  unlessEmpty,
} from '../section.ts';
import { lot, ofLot, serialNumbersOf } from '../transaction.ts';

export const shipTo = section(
  'shipTo',
  {
    name: text('shipTo.name', 'Person.'),
    company: text('shipTo.companyName', 'Company.'),
    city: text('shipTo.city', 'City.'),
    region: text('shipTo.state', 'State or province.'),
    postalCode: text('shipTo.zip', 'Postal code.'),
    country: text('shipTo.country', 'Country, as the warehouse writes it.'),
    phone: text('shipTo.phoneNumber', 'Telephone number.'),
    email: text('shipTo.emailAddress', 'E-mail address.'),
    line1: hidden(text('shipTo.address1')),
    line2: hidden(text('shipTo.address2')),
    lines: derived(texts, 'Lines of the street address.'),
  },
  ({ line1, line2 }) => ({ lines: unlessEmpty([line1, line2].filter((line) => line !== undefined)) }),
);

const trackingPages: readonly (readonly [RegExp, string])[] = [
  [/^(?:ups|upsn)\b/i, 'https://www.ups.com/track?tracknum='],
  [/^(?:fed ?ex|fdeg?|fdxg)/i, 'https://www.fedex.com/fedextrack/?trknbr='],
  [/^(?:usps|us postal|united states postal)/i, 'https://tools.usps.com/go/TrackConfirmAction?tLabels='],
  [/^dhl/i, 'https://www.dhl.com/en/express/tracking.html?AWB='],
];

export function trackingUrl(
  number: string | undefined,
  ...carriers: readonly (string | undefined)[]
): string | undefined {
  if (number === undefined || !/^[\w-]{6,40}$/.test(number)) return undefined;
  const page = trackingPages.find(([name]) => carriers.some((carrier) => carrier !== undefined && name.test(carrier)));
  return page && page[1] + encodeURIComponent(number);
}

export const numbersIn = (value: unknown): readonly string[] =>
  (readText(value)?.split(/[,;|\n]/) ?? []).flatMap((number) => readId(number) ?? []);

/** SSCC: 18 digits, also behind the application identifier 00. A shorter serial part is none. */
const sscc = field(z.string(), (value) => /^(?:\(?00\)?)?(\d{18})$/.exec(readText(value) ?? '')?.[1]);

const parcelLine = section(
  'parcelLine',
  {
    lineId: id('orderItemId', 'Line of the order.'),
    quantity: amount('qty', 'Quantity of the line in this parcel.'),
    sku: derived(z.string()),
    ...ofLot,
  },
  (_, content, places) => ({ ...lot.read(content, places), serialNumbers: unlessEmpty(serialNumbersOf(content)) }),
);

const parcel = section('parcel', {
  id: id('packageId', 'Id of the package in the warehouse.'),
  trackingNumber: text('trackingNumber', "The carrier's number of the parcel."),
  type: text('packageDefIdentifier.name', 'Kind of the package.'),
  weight: amount('weight', "In the facility's unit."),
  length: amount('length', "In the facility's unit."),
  width: amount('width', "In the facility's unit."),
  height: amount('height', "In the facility's unit."),
  trackingUrl: derived(z.string(), "The carrier's page of the parcel, if one is known."),
  sscc: sscc('ucc128', 'Serial Shipping Container Code, 18 digits.'),
  lines: list('packageContents', parcelLine, 'Its contents.'),
});

export type Parcel = ReturnType<typeof parcel.read>;

export const parcels: Member<readonly Parcel[]> = {
  ...list('readOnly.packages', parcel),
  read(record, path, places) {
    const lists = listsAt(record, path).map((rows) => rows.map((row) => parcel.read(row, places)));
    return lists.find((list) => list.some(({ lines }) => lines)) ?? lists[0];
  },
};
