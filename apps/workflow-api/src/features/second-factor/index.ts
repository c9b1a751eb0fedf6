export { createInMemorySecondFactorRepository } from './in-memory-second-factor-repository';
export { createPrismaSecondFactorRepository, type SecondFactorRepository } from './second-factor-repository';
export { bindSecondFactorRoutes } from './second-factor-routes';
export { createSecondFactorService, type SecondFactorService } from './second-factor-service';
