export { findContractProblems, type Contract } from './contract-problems';
export { emitOpenApi, type OpenApiOptions } from './emit-openapi';
