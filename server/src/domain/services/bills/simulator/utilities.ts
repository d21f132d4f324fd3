import { billersOf, MODES_WITH_CARDS, MODES_WITHOUT_CASH, optionalParam, param } from "./make-biller.ts";

// Examples end in 345 or 901, which are not special endings of the simulator, so they succeed (contract, section 9).
const consumer = (pattern: RegExp, example: string) => param("consumer_number", "Consumer number", pattern, example);

export const UTILITIES = [
  ...billersOf("electricity", [
    {
      billerId: "TPDDL0000DEL01",
      name: "Tata Power Delhi Distribution",
      flow: "fetch",
      exactness: "exact",
      params: [param("ca_number", "CA number", /^[0-9]{11}$/, "60012012345")],
      takes: ["1", "200000"],
    },
    {
      billerId: "BESCOM000KAR01",
      name: "BESCOM Bengaluru",
      flow: "fetch",
      exactness: "exact_up",
      params: [param("account_id", "Account ID", /^[0-9]{10}$/, "5012312345")],
      takes: ["1", "200000"],
      flatFee: "2.50",
    },
    {
      billerId: "MSEDCL000MAH01",
      name: "MSEDCL Maharashtra",
      flow: "fetch",
      exactness: "exact_down",
      params: [consumer(/^[0-9]{12}$/, "170012012345"), param("billing_unit", "Billing unit", /^[0-9]{4}$/, "4637")],
      takes: ["1", "200000"],
    },
    {
      billerId: "UPPCL0000UTP01",
      name: "UPPCL Uttar Pradesh (urban)",
      flow: "fetch",
      exactness: "any",
      params: [consumer(/^[0-9]{10,12}$/, "7312012345")],
      takes: ["10", "200000"],
      flatFee: "1.00",
      basisPoints: 25n,
    },
    {
      billerId: "JBVNL0000JHA01",
      name: "JBVNL Jharkhand",
      flow: "fetch",
      exactness: "exact",
      params: [consumer(/^[A-Z]{2}[0-9]{8}$/, "RN12012345"), param("subdivision", "Subdivision code", /^[0-9]{3}$/, "411")],
      takes: ["1", "100000"],
      active: false,
    },
  ]),
  ...billersOf("water", [
    {
      billerId: "DJB000000DEL01",
      name: "Delhi Jal Board",
      flow: "fetch",
      exactness: "exact",
      params: [param("k_number", "K number", /^[0-9]{10}$/, "1234012345")],
      takes: ["1", "100000"],
    },
    {
      billerId: "BWSSB0000KAR01",
      name: "BWSSB Bengaluru",
      flow: "fetch",
      exactness: "exact_down",
      params: [param("rr_number", "RR number", /^[A-Z]{1,3}-?[0-9]{5,9}$/, "SW-1012345")],
      takes: ["1", "100000"],
      paymentModes: MODES_WITHOUT_CASH,
    },
  ]),
  ...billersOf("gas", [
    {
      billerId: "IGL000000DEL01",
      name: "Indraprastha Gas",
      flow: "fetch",
      exactness: "exact_up",
      params: [param("bp_number", "BP number", /^[0-9]{10}$/, "3012012345")],
      takes: ["1", "50000"],
    },
    {
      billerId: "MGL000000MUM01",
      name: "Mahanagar Gas",
      flow: "fetch",
      exactness: "range",
      params: [
        param("ca_number", "CA number", /^[0-9]{12}$/, "210000012345"),
        optionalParam("bill_group", "Bill group", /^[A-Z0-9]{1,4}$/, "B1"),
      ],
      takes: ["1", "50000"],
    },
  ]),
  ...billersOf("lpg", [
    {
      billerId: "INDANE000NAT01",
      name: "Indane Gas",
      flow: "validate",
      exactness: "range",
      params: [param("lpg_id", "LPG ID", /^[0-9]{17}$/, "75000000012012345")],
      takes: ["500", "3000"],
      paymentModes: ["UPI", "DEBIT_CARD", "WALLET"],
    },
    {
      billerId: "HPGAS0000NAT01",
      name: "HP Gas",
      flow: "fetch",
      exactness: "exact",
      params: [param("customer_number", "Customer number", /^[0-9]{10}$/, "6120012345")],
      takes: ["1", "3000"],
    },
  ]),
  ...billersOf("municipal_tax", [
    {
      billerId: "BBMP00000KAR01",
      name: "BBMP property tax",
      flow: "fetch",
      exactness: "exact",
      params: [param("property_id", "Property ID", /^[0-9]{10}$/, "1500012345")],
      takes: ["1", "500000"],
      flatFee: "5.00",
      basisPoints: 50n,
      paymentModes: MODES_WITH_CARDS,
    },
    {
      billerId: "PMC000000PUN01",
      name: "Pune Municipal Corporation",
      flow: "fetch",
      exactness: "exact_down",
      params: [param("property_id", "Property ID", /^[A-Z](?:\/[0-9]{1,2}){2}\/[0-9]{8}$/, "P/1/02/00012345")],
      takes: ["1", "500000"],
      paymentModes: MODES_WITHOUT_CASH,
    },
  ]),
];
