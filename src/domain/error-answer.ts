import { isObject, readerOf } from '../base/json.ts';
import { readText } from './wire-values.ts';

const ERROR =
  /error|exception|(?<!de)fault|failure|problem|^(?:code|details?|hint|messages?|msg|reason|stack(?:trace)?|success|title)$/i;

/** Members of records of any kind. An error, too, may quote an id, a reference number and a status. */
const OWN = [
  ...['allocations', 'billing', 'carrier', 'companyinfo', 'creationdate', 'customeridentifier', 'defernotification'],
  ...['email', 'facilityidentifier', 'firstname', 'fullyallocated', 'isclosed', 'itemidentifier', 'lastmodifieddate'],
  ...[
    'lastname',
    'login',
    'packdonedate',
    'packstarted',
    'pickdonedate',
    'primarycontact',
    'primaryfacilityidentifier',
  ],
  ...['qty', 'qualifier', 'routinginfo', 'savedelements', 'shipto', 'sku', 'username', '_embedded'],
];

/** It has members of an error, and none that records have. */
export function isErrorAnswer(value: unknown): boolean {
  const read = readerOf(value);
  const places = [value, read('readonly')].filter(isObject);
  const isError = places.some((place) => Object.entries(place).some(isOfError));
  return isError && !OWN.some((name) => says(read('readonly', name) ?? read(name)));
}

const isOfError = ([name, value]: readonly [string, unknown]): boolean =>
  (ERROR.test(name) && says(value)) || (name === '$type' && ERROR.test(readText(value) ?? ''));

/** Records may have an empty list of errors. */
const says = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.keys(value).length > 0
    : value !== undefined && value !== null && value !== '' && value !== 0;
