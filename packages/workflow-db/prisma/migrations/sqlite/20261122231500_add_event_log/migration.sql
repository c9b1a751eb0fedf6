-- CreateTable
CREATE TABLE "EventLogEntry" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "occurredAt" DATETIME NOT NULL,
    "recordedAt" DATETIME NOT NULL,
    "kind" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "sourceInstance" TEXT NOT NULL,
    "dagName" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "userId" TEXT,
    "status" TEXT,
    "data" JSONB NOT NULL
);

-- CreateIndex
CREATE INDEX "event_log_entry_newest_idx" ON "EventLogEntry"("occurredAt", "id");
