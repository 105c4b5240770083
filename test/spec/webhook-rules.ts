import { type Fact, type Proof, rule, unused } from './fact.ts';

const allowed = (row: string): Proof => ['sandbox/simulator/webhooks/record', 'a webhook record > may have %s', row];
const refused = (row: string): Proof => [
  'sandbox/simulator/webhooks/record',
  'a webhook record > may not have %s',
  row,
];
const concerned: Proof = [
  'sandbox/simulator/webhooks/sender',
  'the sender > delivers to every record that the event concerns',
];
const sections = (row: string): Proof => [
  'warehouse/warehouse',
  'a GET > asks for $orderDetail and $itemDetail as $target',
  row,
];
const everyEvent: Proof = [
  'e2e/every-event',
  '%s the resource in the messages > every event of a family is announced once: %s',
];
const message = (title: string): Proof => [
  'sandbox/simulator/webhooks/message',
  `a delivery about an item, stock or a held item > ${title}`,
];
const inventory = (title: string): Proof => ['e2e/inventory', title];
const life = (title: string): Proof => ['domain/lifecycle/observe', title];
const names = (row: string): Proof => ['domain/catalogue/catalogue', 'the catalogue > finds %s as %s', row];
const read = (title: string): Proof => ['warehouse/resources/transaction', `an order > ${title}`];

/** The rules of the sections on resources, webhooks, events and changes of the interface. */
export const webhookRules: readonly Fact[] = [
  unused(
    'rule',
    '1',
    'webhooks are set in the user interface, with a permission',
    'a person does it, as said above under "Use it with a real warehouse"',
  ),
  rule('1', 'a webhook is a POST', ['ingress/hostile', 'an authentic delivery > in many small chunks is joined']),
  unused('rule', '1', 'what general support covers', 'it concerns people'),
  rule(
    '2.3',
    'order, line, receipt, adjustment, assembly, item, stock summary, held item, customer, user and pick list are named',
    [
      'e2e/lifecycle',
      'the lifecycle of an order > is announced with everything that was retrieved, and none of that enters a history',
    ],
    everyEvent,
  ),
  rule(
    '2.4',
    'one detail parameter selects several sections',
    sections("orderDetail: ['orderItems', 'savedElements']"),
  ),
  rule(
    '2.4',
    'Itemdetail goes with detail=orderItems',
    sections("{ orderDetail: ['contacts'], itemDetail: ['allocations'], target: '/orders/1?detail=contacts' }"),
  ),
  rule('2.5', 'scope: one customer or any', allowed('one customer'), refused('a customer by name'), concerned),
  rule('2.5', 'description: free text', allowed('an https destination')),
  rule('2.5, 8', 'destination: begins with https://', allowed('an https destination'), refused('http elsewhere')),
  rule('2.5', 'event type: one of section 6', allowed('an event of another type'), refused('an unknown event type')),
  rule(
    '2.5',
    'events: one or more of the type',
    allowed('a label of the specification'),
    refused('no events'),
    refused('an event that its type lacks'),
    concerned,
  ),
  rule(
    '2.5',
    'resources: optional, of the type',
    allowed('the resources of a receipt'),
    refused('a resource that a receipt lacks'),
  ),
  rule(
    '3',
    'source states are not shown: every move is taken from any',
    life('any order of arrival > gives the same registers'),
  ),
  rule(
    '3',
    'the state after a reopening is not shown: it is the one before closing',
    life('the lifecycle of an order > returns to the stage before closing when it is reopened'),
  ),
  rule('6.1', 'an event is sent to each webhook that is set for it', concerned, [
    'e2e/lifecycle',
    'the lifecycle of an order > is announced event by event, once and in order',
  ]),
  rule('6.1', 'with resources: the full object', everyEvent, [
    'sandbox/simulator/webhooks/message',
    'a delivery > carries the order as a GET shows it if the record includes resources',
  ]),
  rule('6.1', 'without resources: the identifier only', everyEvent, [
    'sandbox/simulator/webhooks/message',
    'a delivery > has the wire form of captured traffic',
  ]),
  unused('rule', '6.1', 'webhook usage is shown on an account page', 'it is a page for people'),
  rule('6.1', 'deletions have no retrieval', everyEvent, [
    'e2e/transactions',
    'the workflow of a transaction > does not call the warehouse for a deletion',
  ]),
  rule('6.2', 'seven event types, and holds', [
    'domain/catalogue/catalogue',
    'the catalogue > has the 41 events of the specification',
  ]),
  rule(
    '6.2',
    'Default enables the other resources',
    allowed('a resource with Default'),
    refused('a resource without Default'),
  ),
  rule(
    '6.2',
    'the payload of a stock summary is always there',
    message('(stock) always carries its row'),
    inventory('stock > is announced with its levels before and after, and only its customer is retrieved'),
  ),
  rule(
    '6.2',
    'the payload of a hold is the received item',
    message('(a held item) carries the received item, without a reason after its release'),
    inventory(
      'a hold > is announced when it is placed and released, with its previous state and the payload of the event',
    ),
  ),
  rule(
    '6.2',
    'Pack - started is labelled Pick job - started for now',
    names("['Pick Job - Started', 'OrderPackStarted']"),
  ),
  rule('6.2', 'OrderExcludedFromPickJob: the order has left its pick job', [
    'sandbox/simulator/state/events',
    'an order > links to no pick job after its exclusion',
  ]),
  rule(
    '6.2',
    'Pack Complete: the Pack Done Date is set',
    ['sandbox/simulator/state/events', 'an order > after %s shows %o', "['OrderPackComplete', { packDoneDate"],
    ['domain/lifecycle/observe', 'a snapshot > infers milestones without an event, before later ones'],
  ),
  rule(
    '6.2',
    'an Update of an item can be a deactivation',
    inventory('an item > is followed through creation, updates, deactivation and deletion'),
  ),
  rule(
    '9',
    'without notice, fields come and others change',
    read('is read though parts that are not needed are of another type'),
    ['warehouse/warehouse', 'a GET > returns each body as it came, with digits that a number would lose'],
  ),
  rule('9', 'without notice, fields go', read('needs nothing but its id')),
  rule('9', 'without notice, resources go', [
    'activities/fetch',
    'a retrieval > reports a final refusal and continues with the rest',
  ]),
  rule('9', 'without notice, names are written in PascalCase', read('is read from PascalCase, which has no links'), [
    'ingress/message/delivery',
    'parseDelivery reads the same event > %s',
    'with keys in upper case',
  ]),
  rule(
    '9',
    'without notice, events come',
    ['ingress/app', 'a delivery > of %s is answered with 200 and quarantined', 'an unknown event'],
    ['inbox/replay', 'a quarantined delivery > is ingested once it is understood, and the rest stay quarantined'],
  ),
  rule('9', 'without notice, events are spelled otherwise', names("['order_pick_job_done', 'OrderPickJobDone']"), [
    'e2e/arrival',
    'events of an order > in another spelling are the same events',
  ]),
];
