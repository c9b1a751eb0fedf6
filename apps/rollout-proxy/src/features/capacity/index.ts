export { createCapacityLedger, type CapacityLedger, type TakenGrant } from './capacity-ledger';
export { bindCapacityRoutes } from './capacity-routes';
