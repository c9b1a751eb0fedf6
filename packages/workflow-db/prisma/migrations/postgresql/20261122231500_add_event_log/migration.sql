-- CreateTable
CREATE TABLE "EventLogEntry" (
    "id" TEXT NOT NULL,
    "occurredAt" TIMESTAMP(3) NOT NULL,
    "recordedAt" TIMESTAMP(3) NOT NULL,
    "kind" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "sourceInstance" TEXT NOT NULL,
    "dagName" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "attempt" INTEGER NOT NULL,
    "userId" TEXT,
    "status" TEXT,
    "data" JSONB NOT NULL,

    CONSTRAINT "EventLogEntry_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "event_log_entry_newest_idx" ON "EventLogEntry"("occurredAt", "id");
