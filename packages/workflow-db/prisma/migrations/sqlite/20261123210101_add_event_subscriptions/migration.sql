-- CreateTable
CREATE TABLE "OutboxEvent" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "occurredAt" DATETIME NOT NULL,
    "runId" TEXT NOT NULL,
    "dagName" TEXT NOT NULL,
    "dagRunId" TEXT NOT NULL,
    "workspace" TEXT,
    "status" TEXT NOT NULL,
    "error" TEXT
);

-- CreateTable
CREATE TABLE "EventSubscription" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "name" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "events" JSONB NOT NULL,
    "workspace" TEXT,
    "dagName" TEXT,
    "host" TEXT NOT NULL,
    "keyId" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "isEnabled" BOOLEAN NOT NULL,
    "disabledReason" TEXT,
    "failingSince" DATETIME,
    "createdAt" DATETIME NOT NULL,
    "updatedAt" DATETIME NOT NULL,
    "createdBy" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "EventDelivery" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "subscriptionId" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "payload" TEXT NOT NULL,
    "status" TEXT NOT NULL,
    "attempts" INTEGER NOT NULL,
    "createdAt" DATETIME NOT NULL,
    "nextAttemptAt" DATETIME,
    "deliveredAt" DATETIME,
    "responseStatus" INTEGER,
    "error" TEXT,
    CONSTRAINT "EventDelivery_subscriptionId_fkey" FOREIGN KEY ("subscriptionId") REFERENCES "EventSubscription" ("id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "outbox_event_oldest_idx" ON "OutboxEvent"("occurredAt");

-- CreateIndex
CREATE INDEX "event_delivery_due_idx" ON "EventDelivery"("nextAttemptAt");

-- CreateIndex
CREATE INDEX "event_delivery_newest_idx" ON "EventDelivery"("subscriptionId", "createdAt");
