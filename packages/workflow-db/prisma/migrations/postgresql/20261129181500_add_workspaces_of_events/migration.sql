-- AlterTable
ALTER TABLE "EventLogEntry" ADD COLUMN "workspace" TEXT;

-- There are as many entries as WEIR_EVENT_LOG_LIMIT says.
UPDATE "EventLogEntry" SET "workspace" = "data" ->> 'workspace';
