export const SETU = {
  name: "setu",
  secrets: {
    ...{ client_id: "setu-client-3315", client_secret: "setu-secret-6642", partner_id: "7785031", wallet_name: "Rupayo Wallet" },
    ...{ agent_id: "AX01AX26INBU00000001", agent_ip: "124.170.23.24", agent_mac: "48-4D-7E-CB-DB-6F" },
  },
};
