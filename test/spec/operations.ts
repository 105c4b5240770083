import { type Fact, type Proof, shown, unused } from './fact.ts';

/** The operations that the specification names in section 4.2 without their paths, and that Dockline calls. */
export const namedOperations = [
  'Get Order',
  'Get User',
  'Get Orders Picklist',
  'Get Receiver',
  'Get Adjustment',
  'Get Assembly',
  'Get Orders Item',
  'Get Item',
  'Get Stock Summaries',
] as const;

const client = (title: string, row?: string): Proof => ['warehouse/warehouse', `a GET > ${title}`, row];
const simulator = (title: string, row?: string): Proof => [
  'sandbox/simulator/api/api',
  `the documented paths > ${title}`,
  row,
];
const documentedPath = client('asks for each resource at its documented path');

/** Every operation of sections 4.1 and 4.2. */
export const operationFacts: readonly Fact[] = [
  shown(
    'operation',
    '4.1',
    'POST {auth_url}/AuthServer/api/Token: a token',
    ['warehouse/client/token', 'a token request > is what the specification says, field by field'],
    ['warehouse/client/token', 'a token request > goes below the path of the address of the token server'],
  ),
  shown(
    'operation',
    '4.2',
    'GET /customers/{id}: a customer',
    documentedPath,
    simulator('GET /customers/{id} answers a customer'),
  ),
  shown(
    'operation',
    '4.2',
    'GET order/{id}: an order; asked for as /orders/{id}, which is the same',
    documentedPath,
    client('takes a base address with a path of its own'),
    simulator('GET /orders/{id} and GET /order/{id} answer an order in HAL'),
  ),
  shown(
    'operation',
    '4.2',
    'GET /inventory/receivers/{receiver_id}: a receipt',
    client('asks for a %s at %s', "'/inventory/receivers/7?detail=SavedElements,ReceiveItems'"),
    simulator('GET %s{id} answers a %s', "'/inventory/receivers/', 'receipt'"),
  ),
  shown(
    'operation',
    '4.2',
    'GET /orders/{id}/items/{iid}: a line of an order',
    client('asks for one line with the sections as they are written there'),
    simulator('GET /orders/{id}/items/{iid} answers a line of the order'),
  ),
  ...namedOperations.map((name) =>
    shown('operation', '4.2', name, [
      'spec/operations',
      'an operation that is named without its path > %s returns what the warehouse has, in one call',
    ]),
  ),
  unused(
    'operation',
    '4.2',
    'Get Stock Summaries by SKU',
    'Get Stock Summaries finds the same row by facility and item, which is its key',
  ),
  unused('operation', '4.2', 'creation of orders', 'Dockline follows orders and creates none'),
  unused(
    'operation',
    '4.2',
    'inventory received on or before a date',
    'no event leads to it; stock is followed by its summaries',
  ),
];
