export {
  capacityExhausted,
  capacityNotGranted,
  createCapacityLedger,
  type CapacityLedger,
  type ClaimedGrant,
} from './capacity-ledger';
export { bindCapacityRoutes } from './capacity-routes';
