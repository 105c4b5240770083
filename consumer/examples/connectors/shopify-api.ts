/** Version of the Admin API, https://shopify.dev/docs/api/admin-graphql/2026-04 */
const VERSION = '2026-04';

export interface Shopify {
  readonly url: string;
  readonly token: string;
  /** The warehouse, as Shopify knows it. */
  readonly location: string;
}

export interface FulfillmentOrder {
  readonly id: string;
  readonly assignedLocation: { readonly location: { readonly id: string } | null };
  readonly supportedActions: readonly { readonly action: string }[];
  readonly lineItems: { readonly nodes: { readonly id: string; readonly sku: string; remainingQuantity: number }[] };
}

export interface Fulfillment {
  readonly id: string;
  readonly status: string;
  readonly location: { readonly id: string } | null;
  readonly trackingInfo: readonly { readonly number: string | null }[];
  readonly fulfillmentLineItems: { readonly nodes: readonly { quantity: number; lineItem: { sku: string } }[] };
}

export interface Order {
  readonly id: string;
  readonly fulfillments: readonly Fulfillment[];
  readonly fulfillmentOrders: { readonly nodes: readonly FulfillmentOrder[] };
}

export const ORDERS = `query orders($query: String!) { orders(first: 2, query: $query) { nodes { id
  fulfillments(first: 100) { id status location { id } trackingInfo { number }
    fulfillmentLineItems(first: 250) { nodes { quantity lineItem { sku } } } }
  fulfillmentOrders(first: 20) { nodes { id assignedLocation { location { id } } supportedActions { action }
    lineItems(first: 250) { nodes { id sku remainingQuantity } } } } } } }`;
export const CREATE = `mutation fulfillmentCreate($fulfillment: FulfillmentInput!) {
  fulfillmentCreate(fulfillment: $fulfillment) { fulfillment { id } userErrors { field message } } }`;
export const TRACK = `mutation fulfillmentTrackingInfoUpdate($id: ID!, $tracking: FulfillmentTrackingInput!) {
  fulfillmentTrackingInfoUpdate(fulfillmentId: $id, trackingInfoInput: $tracking) { userErrors { field message } } }`;
export const CANCEL =
  'mutation fulfillmentCancel($id: ID!) { fulfillmentCancel(id: $id) { userErrors { field message } } }';
export const ITEMS = 'query items($query: String!) { inventoryItems(first: 2, query: $query) { nodes { id } } }';
export const SET = `mutation inventorySetQuantities($input: InventorySetQuantitiesInput!, $key: String!) {
  inventorySetQuantities(input: $input) @idempotent(key: $key) { userErrors { field message } } }`;

/** Asks for something, or has it done. Throws what Shopify refuses. */
export async function ask<T>({ url, token }: Shopify, query: string, variables: object): Promise<T> {
  const headers = { 'content-type': 'application/json', 'x-shopify-access-token': token };
  const body = JSON.stringify({ query, variables });
  const response = await fetch(`${url}/admin/api/${VERSION}/graphql.json`, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`Shopify answered ${response.status}`);
  const { data, errors } = (await response.json()) as { data?: Record<string, { userErrors?: [] }>; errors?: [] };
  const wrong = errors ?? Object.values(data ?? {}).flatMap(({ userErrors = [] }) => userErrors);
  if (wrong.length > 0) throw new Error(`Shopify refused: ${JSON.stringify(wrong)}`);
  return data as T;
}
