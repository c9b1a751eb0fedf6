export { bindExportRoutes, negotiateFormat } from './export-route';
export { createDriftCheck, type CheckDrift } from './check-drift';
export { createExportService, type ExportService } from './export-service';
