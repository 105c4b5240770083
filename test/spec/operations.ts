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
