-- CreateTable
CREATE TABLE "AuditPending" (
    "id" TEXT NOT NULL PRIMARY KEY,
    "recordedAt" DATETIME NOT NULL,
    "content" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "position" INTEGER NOT NULL,
    "id" TEXT NOT NULL PRIMARY KEY,
    "timestamp" DATETIME NOT NULL,
    "category" TEXT NOT NULL,
    "action" TEXT NOT NULL,
    "result" TEXT NOT NULL,
    "userId" TEXT NOT NULL,
    "username" TEXT NOT NULL,
    "credentialType" TEXT NOT NULL,
    "credentialId" TEXT,
    "ipAddress" TEXT,
    "resourceType" TEXT,
    "resourceId" TEXT,
    "workspace" TEXT,
    "correlationId" TEXT NOT NULL,
    "details" TEXT NOT NULL,
    "previousHash" TEXT NOT NULL,
    "hash" TEXT NOT NULL
);

-- CreateTable
CREATE TABLE "AuditChain" (
    "name" TEXT NOT NULL PRIMARY KEY,
    "prunedPosition" INTEGER NOT NULL,
    "prunedHash" TEXT NOT NULL,
    "lastPosition" INTEGER NOT NULL,
    "lastHash" TEXT NOT NULL
);

-- CreateIndex
CREATE INDEX "audit_pending_oldest_idx" ON "AuditPending"("recordedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_position_key" ON "AuditEntry"("position");

-- CreateIndex
CREATE INDEX "audit_entry_timestamp_idx" ON "AuditEntry"("timestamp");
