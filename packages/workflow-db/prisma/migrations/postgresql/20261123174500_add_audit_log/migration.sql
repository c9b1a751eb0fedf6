-- CreateTable
CREATE TABLE "AuditPending" (
    "id" TEXT NOT NULL,
    "recordedAt" TIMESTAMP(3) NOT NULL,
    "content" TEXT NOT NULL,

    CONSTRAINT "AuditPending_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditEntry" (
    "position" INTEGER NOT NULL,
    "id" TEXT NOT NULL,
    "timestamp" TIMESTAMP(3) NOT NULL,
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
    "hash" TEXT NOT NULL,

    CONSTRAINT "AuditEntry_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "AuditChain" (
    "name" TEXT NOT NULL,
    "prunedPosition" INTEGER NOT NULL,
    "prunedHash" TEXT NOT NULL,
    "lastPosition" INTEGER NOT NULL,
    "lastHash" TEXT NOT NULL,

    CONSTRAINT "AuditChain_pkey" PRIMARY KEY ("name")
);

-- CreateIndex
CREATE INDEX "audit_pending_oldest_idx" ON "AuditPending"("recordedAt", "id");

-- CreateIndex
CREATE UNIQUE INDEX "audit_entry_position_key" ON "AuditEntry"("position");

-- CreateIndex
CREATE INDEX "audit_entry_timestamp_idx" ON "AuditEntry"("timestamp");
