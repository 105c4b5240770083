// Written by `npm run vectors`.

/** Order in plain words. What is not known is absent. */
export interface OrderAdvice {
  /** The customer's own number of the order. */
  readonly orderNumber?: string | undefined;
  /** Purchase order number. */
  readonly poNumber?: string | undefined;
  /** Id of the order in the customer's own system. */
  readonly externalId?: string | undefined;
  /** The carrier's service. */
  readonly service?: string | undefined;
  /** Bill of lading. */
  readonly billOfLading?: string | undefined;
  /** Master bill of lading. */
  readonly masterBillOfLading?: string | undefined;
  /** Number of the load. */
  readonly loadNumber?: string | undefined;
  /** Number of the trailer. */
  readonly trailerNumber?: string | undefined;
  /** Number of the seal. */
  readonly sealNumber?: string | undefined;
  readonly customer?:
    | {
        /** Id of the customer in the warehouse. */
        readonly id?: string | undefined;
        /** Name of the customer in the warehouse. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly facility?:
    | {
        /** Id of the facility. */
        readonly id?: string | undefined;
        /** Name of the facility. */
        readonly name?: string | undefined;
      }
    | undefined;
  /** The order is closed. */
  readonly isShipped?: boolean | undefined;
  /** Time at which the order was closed, local to the facility unless it has an offset. */
  readonly shippedAt?: string | undefined;
  /** Everything that was ordered has shipped; absent before, and where a quantity is not known. */
  readonly isComplete?: boolean | undefined;
  readonly carrier?:
    | {
        /** Name of the carrier, as the warehouse writes it. */
        readonly name?: string | undefined;
        /** Standard Carrier Alpha Code. */
        readonly scac?: string | undefined;
      }
    | undefined;
  /** Of parcels first, then of the order; each once. */
  readonly trackingNumbers?: readonly string[] | undefined;
  /** The carrier's page of the first tracking number, if one is known. */
  readonly trackingUrl?: string | undefined;
  readonly shipTo?:
    | {
        /** Person. */
        readonly name?: string | undefined;
        /** Company. */
        readonly company?: string | undefined;
        /** City. */
        readonly city?: string | undefined;
        /** State or province. */
        readonly region?: string | undefined;
        /** Postal code. */
        readonly postalCode?: string | undefined;
        /** Country, as the warehouse writes it. */
        readonly country?: string | undefined;
        /** Telephone number. */
        readonly phone?: string | undefined;
        /** E-mail address. */
        readonly email?: string | undefined;
        /** Lines of the street address. */
        readonly lines?: readonly string[] | undefined;
      }
    | undefined;
  readonly lines?:
    | readonly {
        /** Id of the line in the warehouse. */
        readonly lineId?: string | undefined;
        /** The customer's own id of the line. */
        readonly externalId?: string | undefined;
        /** SKU. */
        readonly sku?: string | undefined;
        /** Id of the item in the warehouse. */
        readonly itemId?: string | undefined;
        /** Qualifier, by which stock of one item is told apart. */
        readonly qualifier?: string | undefined;
        /** Unit in which the line was ordered. */
        readonly unit?: string | undefined;
        /** Ordered quantity. */
        readonly ordered?: number | undefined;
        /** Quantity for which stock is reserved. */
        readonly allocated?: number | undefined;
        /** Picked quantity. */
        readonly picked?: number | undefined;
        /** Quantity that is in packages. */
        readonly packed?: number | undefined;
        /** Shipped quantity, once the order has shipped. */
        readonly shipped?: number | undefined;
        /** Ordered quantity that was not shipped, once the order has shipped. */
        readonly short?: number | undefined;
        /** Source of the shipped quantity, and of the lots. */
        readonly basis?: 'packages' | 'allocations' | 'line' | undefined;
        /** Goods by lot and expiry date, with their serial numbers. */
        readonly lots?:
          | readonly {
              /** Lot, as the warehouse names it. */
              readonly lotNumber?: string | undefined;
              /** Day on which it expires. */
              readonly expiresOn?: string | undefined;
              readonly serialNumbers?: readonly string[] | undefined;
              readonly quantity?: number | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  readonly parcels?:
    | readonly {
        /** Id of the package in the warehouse. */
        readonly id?: string | undefined;
        /** The carrier's number of the parcel. */
        readonly trackingNumber?: string | undefined;
        /** Kind of the package. */
        readonly type?: string | undefined;
        /** In the facility's unit. */
        readonly weight?: number | undefined;
        /** In the facility's unit. */
        readonly length?: number | undefined;
        /** In the facility's unit. */
        readonly width?: number | undefined;
        /** In the facility's unit. */
        readonly height?: number | undefined;
        /** The carrier's page of the parcel, if one is known. */
        readonly trackingUrl?: string | undefined;
        /** Serial Shipping Container Code, 18 digits. */
        readonly sscc?: string | undefined;
        /** Its contents. */
        readonly lines?:
          | readonly {
              /** Line of the order. */
              readonly lineId?: string | undefined;
              /** Quantity of the line in this parcel. */
              readonly quantity?: number | undefined;
              readonly sku?: string | undefined;
              /** Lot, as the warehouse names it. */
              readonly lotNumber?: string | undefined;
              /** Day on which it expires. */
              readonly expiresOn?: string | undefined;
              readonly serialNumbers?: readonly string[] | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /** Of the whole order, also where lists are cut. */
  readonly totals?:
    | {
        readonly lines?: number | undefined;
        /** Sum of the shipped quantities. */
        readonly units?: number | undefined;
        readonly parcels?: number | undefined;
        readonly serialNumbers?: number | undefined;
        /** As the warehouse says it, in the facility's unit. */
        readonly weight?: number | undefined;
        /** As the warehouse says it, in the facility's unit. */
        readonly volume?: number | undefined;
      }
    | undefined;
  /** Charges of the warehouse, if the account fetches `billingDetails`. */
  readonly charges?:
    | readonly {
        /** Kind of the charge, as the warehouse numbers it. */
        readonly type?: string | undefined;
        /** Sum of its details. */
        readonly subtotal?: number | undefined;
        readonly details?:
          | readonly {
              /** Name of the charge. */
              readonly label?: string | undefined;
              /** Number of units. */
              readonly units?: number | undefined;
              /** Unit. */
              readonly unit?: string | undefined;
              /** Charge for each unit. */
              readonly perUnit?: number | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /** A list was too long: `totals` counts what there is. */
  readonly isCut?: true | undefined;
}

/** Receipt in plain words. What is not known is absent. */
export interface ReceiptAdvice {
  /** The customer's own number of the receipt. */
  readonly receiptNumber?: string | undefined;
  /** Purchase order number. */
  readonly poNumber?: string | undefined;
  /** Id of the receipt in the customer's own system. */
  readonly externalId?: string | undefined;
  /** Time at which the goods are expected, local to the facility unless it has an offset. */
  readonly expectedAt?: string | undefined;
  /** The carrier's number. */
  readonly trackingNumber?: string | undefined;
  readonly customer?:
    | {
        /** Id of the customer in the warehouse. */
        readonly id?: string | undefined;
        /** Name of the customer in the warehouse. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly facility?:
    | {
        /** Id of the facility. */
        readonly id?: string | undefined;
        /** Name of the facility. */
        readonly name?: string | undefined;
      }
    | undefined;
  /** Time at which the goods arrived, local to the facility; absent while it is only planned. */
  readonly arrivedAt?: string | undefined;
  readonly carrier?:
    | {
        /** Name of the carrier, as the warehouse writes it. */
        readonly name?: string | undefined;
        /** Standard Carrier Alpha Code. */
        readonly scac?: string | undefined;
      }
    | undefined;
  /** The receipt is closed. */
  readonly isReceived?: boolean | undefined;
  /** Everything that was expected was received; absent before, and where a quantity is not known. */
  readonly isComplete?: boolean | undefined;
  readonly lines?:
    | readonly {
        /** Id of the received item in the warehouse. */
        readonly lineId?: string | undefined;
        /** The customer's own id of the line. */
        readonly externalId?: string | undefined;
        /** SKU. */
        readonly sku?: string | undefined;
        /** Id of the item in the warehouse. */
        readonly itemId?: string | undefined;
        /** Qualifier, by which stock of one item is told apart. */
        readonly qualifier?: string | undefined;
        /** Unit of the quantities. */
        readonly unit?: string | undefined;
        /** Expected quantity. */
        readonly expected?: number | undefined;
        /** Received quantity, once the receipt is closed. */
        readonly received?: number | undefined;
        /** The received goods must not be used for now. */
        readonly isOnHold?: boolean | undefined;
        /** Why they must not. */
        readonly holdReason?: string | undefined;
        /** Location in the warehouse. */
        readonly location?: string | undefined;
        /** Received less expected: below zero if some are missing. */
        readonly difference?: number | undefined;
        /** Goods by lot and expiry date, with their serial numbers. */
        readonly lots?:
          | readonly {
              /** Lot, as the warehouse names it. */
              readonly lotNumber?: string | undefined;
              /** Day on which it expires. */
              readonly expiresOn?: string | undefined;
              readonly serialNumbers?: readonly string[] | undefined;
              readonly quantity?: number | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  /** Of the whole receipt, also where lists are cut. */
  readonly totals?:
    | {
        readonly lines?: number | undefined;
      }
    | undefined;
  /** A list was too long: `totals` counts what there is. */
  readonly isCut?: true | undefined;
}

/** Adjustment in plain words. What is not known is absent. */
export interface AdjustmentAdvice {
  /** The customer's own number of the adjustment. */
  readonly adjustmentNumber?: string | undefined;
  /** Why stock was corrected. */
  readonly reason?: string | undefined;
  readonly customer?:
    | {
        /** Id of the customer in the warehouse. */
        readonly id?: string | undefined;
        /** Name of the customer in the warehouse. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly facility?:
    | {
        /** Id of the facility. */
        readonly id?: string | undefined;
        /** Name of the facility. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly lines?:
    | readonly {
        /** SKU. */
        readonly sku?: string | undefined;
        /** Id of the item in the warehouse. */
        readonly itemId?: string | undefined;
        /** Qualifier, by which stock of one item is told apart. */
        readonly qualifier?: string | undefined;
        /** Unit of the quantity. */
        readonly unit?: string | undefined;
        /** Quantity, below zero for what is taken away. */
        readonly quantity?: number | undefined;
        readonly lots?:
          | readonly {
              /** Lot, as the warehouse names it. */
              readonly lotNumber?: string | undefined;
              /** Day on which it expires. */
              readonly expiresOn?: string | undefined;
              readonly serialNumbers?: readonly string[] | undefined;
              readonly quantity?: number | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  readonly totals?:
    | {
        readonly lines?: number | undefined;
      }
    | undefined;
  readonly isCut?: true | undefined;
}

/** Assembly in plain words. What is not known is absent. */
export interface AssemblyAdvice {
  /** The customer's own number of the assembly. */
  readonly assemblyNumber?: string | undefined;
  readonly customer?:
    | {
        /** Id of the customer in the warehouse. */
        readonly id?: string | undefined;
        /** Name of the customer in the warehouse. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly facility?:
    | {
        /** Id of the facility. */
        readonly id?: string | undefined;
        /** Name of the facility. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly product?:
    | {
        /** SKU. */
        readonly sku?: string | undefined;
        /** Id of the item in the warehouse. */
        readonly itemId?: string | undefined;
        /** Qualifier, by which stock of one item is told apart. */
        readonly qualifier?: string | undefined;
        /** Unit of the quantity. */
        readonly unit?: string | undefined;
        /** Quantity, below zero for what is taken away. */
        readonly quantity?: number | undefined;
        readonly lots?:
          | readonly {
              /** Lot, as the warehouse names it. */
              readonly lotNumber?: string | undefined;
              /** Day on which it expires. */
              readonly expiresOn?: string | undefined;
              readonly serialNumbers?: readonly string[] | undefined;
              readonly quantity?: number | undefined;
            }[]
          | undefined;
      }
    | undefined;
  readonly components?:
    | readonly {
        /** SKU. */
        readonly sku?: string | undefined;
        /** Id of the item in the warehouse. */
        readonly itemId?: string | undefined;
        /** Qualifier, by which stock of one item is told apart. */
        readonly qualifier?: string | undefined;
        /** Unit of the quantity. */
        readonly unit?: string | undefined;
        /** Quantity, below zero for what is taken away. */
        readonly quantity?: number | undefined;
        readonly lots?:
          | readonly {
              /** Lot, as the warehouse names it. */
              readonly lotNumber?: string | undefined;
              /** Day on which it expires. */
              readonly expiresOn?: string | undefined;
              readonly serialNumbers?: readonly string[] | undefined;
              readonly quantity?: number | undefined;
            }[]
          | undefined;
      }[]
    | undefined;
  readonly isCut?: true | undefined;
}

/** Item in plain words. What is not known is absent. */
export interface ItemAdvice {
  /** SKU. */
  readonly sku?: string | undefined;
  /** Id of the item in the warehouse. */
  readonly itemId?: string | undefined;
  /** Description of the item. */
  readonly description?: string | undefined;
  /** Universal Product Code. */
  readonly upc?: string | undefined;
  /** Unit in which stock is counted. */
  readonly unit?: string | undefined;
  readonly customer?:
    | {
        /** Id of the customer in the warehouse. */
        readonly id?: string | undefined;
        /** Name of the customer in the warehouse. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly dimensions?:
    | {
        /** As the warehouse says it. */
        readonly length?: number | undefined;
        /** As the warehouse says it. */
        readonly width?: number | undefined;
        /** As the warehouse says it. */
        readonly height?: number | undefined;
        /** As the warehouse says it. */
        readonly weight?: number | undefined;
      }
    | undefined;
  /** It is in use. */
  readonly isActive?: boolean | undefined;
}

/** Stock summary in plain words. What is not known is absent. */
export interface StockAdvice {
  /** SKU. */
  readonly sku?: string | undefined;
  /** Id of the item in the warehouse. */
  readonly itemId?: string | undefined;
  /** Qualifier, by which stock of one item is told apart. */
  readonly qualifier?: string | undefined;
  /** Id of the facility. */
  readonly facilityId?: string | undefined;
  readonly totalReceived?: number | undefined;
  /** Quantity that was reserved, with what has shipped since: it is no measure of what is reserved now. What can be sold is `available`. */
  readonly allocated?: number | undefined;
  readonly available?: number | undefined;
  readonly onHold?: number | undefined;
  readonly onHand?: number | undefined;
}

/** Hold in plain words. What is not known is absent. */
export interface HoldAdvice {
  /** Id of the received item in the warehouse. */
  readonly lineId?: string | undefined;
  /** SKU. */
  readonly sku?: string | undefined;
  /** Id of the item in the warehouse. */
  readonly itemId?: string | undefined;
  /** Qualifier, by which stock of one item is told apart. */
  readonly qualifier?: string | undefined;
  /** Quantity. */
  readonly quantity?: number | undefined;
  /** It must not be used for now. */
  readonly isOnHold?: boolean | undefined;
  /** Why it must not. */
  readonly reason?: string | undefined;
  readonly customer?:
    | {
        /** Id of the customer in the warehouse. */
        readonly id?: string | undefined;
        /** Name of the customer in the warehouse. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly facility?:
    | {
        /** Id of the facility. */
        readonly id?: string | undefined;
        /** Name of the facility. */
        readonly name?: string | undefined;
      }
    | undefined;
  readonly lot?:
    | {
        /** Lot, as the warehouse names it. */
        readonly lotNumber?: string | undefined;
        /** Day on which it expires. */
        readonly expiresOn?: string | undefined;
        readonly serialNumbers?: readonly string[] | undefined;
        readonly quantity?: number | undefined;
      }
    | undefined;
}

/** Advice of each kind. */
export interface AdviceOf {
  readonly order: OrderAdvice;
  readonly receipt: ReceiptAdvice;
  readonly adjustment: AdjustmentAdvice;
  readonly assembly: AssemblyAdvice;
  readonly item: ItemAdvice;
  readonly stock: StockAdvice;
  readonly hold: HoldAdvice;
}
