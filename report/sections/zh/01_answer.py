# %% [markdown]
# ## 结论

# %% [markdown]
# ### 可直接粘贴的调用及理由
#
# {% for each in advice %}
# #### {{ each.condition }}：{{ each.workers | workers }}{{ "" if each.proven else "（暂定）" }}
#
# {% if each.proven %}
# 已被证明与最佳值相差 {{ near_percent }}% 以内的最少 worker 数：
# {% else %}
# 尚无 worker 数被证明与最佳值相差 {{ near_percent }}% 以内。最佳估计值为：
# {% endif %}
#
#     {{ each.call | indent(4) }}
#
# {% if each.throughput %}
# - warm epoch 的吞吐量：{{ each.throughput.median }} 张图像/秒（中位数，{{ each.throughput.coverage }}% 置信区间 {{ each.throughput.low }} 至 {{ each.throughput.high }}）。
# {% endif %}
# {% if each.gain %}
# - **{{ each.help | term }}**：{{ each.gain.compared | workers }} 时的吞吐量是无 worker 时的 {{ each.gain.ratio }} 倍（{{ confidence_percent }}% 置信区间 {{ each.gain.low }} 至 {{ each.gain.high }}，{{ each.gain.rounds }} 轮），判定为“{{ each.gain.verdict | term }}”{% if each.gain.more_rounds %}；再测约 {{ each.gain.more_rounds }} 轮也许能有定论{% endif %}。
# {% endif %}
# {% if each.plateau and each.plateau.proven is not none %}
# - 与最佳值相差 {{ near_percent }}% 以内的最少 worker 数介于 {{ each.plateau.from }} 与 {{ each.plateau.proven }} 之间{% if each.plateau.declines_from %}；从 {{ each.plateau.declines_from }} 起，吞吐量下降{% endif %}。
# {% elif each.plateau %}
# - 未被排除的最小数是 {{ each.plateau.from }}{% if each.more_rounds %}；再测约 {{ each.more_rounds }} 轮也许能证明其中一个数{% endif %}。
# {% endif %}
# {% if each.cost %}
# - 代价（峰值）：全部 worker 的内存 {{ each.cost.workers_memory_mib }}，共享内存 {{ each.cost.shared_memory_mib }}。
# {% endif %}
# {% for payback in each.paybacks %}
# {% if payback.epochs is none %}
# - 按中位数计，相对于 {{ payback.against | workers }}，启动 worker 的开销永远无法收回：每个 warm epoch 反而多用 {{ payback.saved_seconds | replace("-", "") }} 秒。
# {% elif payback.epochs == 1 %}
# - 按中位数计，相对于 {{ payback.against | workers }}，启动 worker 的开销在首个 epoch 之内即可收回。
# {% else %}
# - 按中位数计，相对于 {{ payback.against | workers }}，启动 worker 的开销在 {{ payback.epochs }} 个 epoch 后收回。
# {% endif %}
# {% endfor %}
# {% if each.start and each.persistent %}
# - 首个 epoch 比 warm epoch 多用 {{ each.start }} 秒；如果没有 `persistent_workers`，每个 epoch 都相当于首个 epoch，因此该设置从第二个 epoch 起就有收益。
# {% endif %}
#
# {% endfor %}
# {% if device == "cpu" %}
# 此处没有使用加速器训练：训练与 worker 共享同样的核，因此这一结论只针对本机。若要了解从本机向高速加速器供给数据的情形，请设置 `device: emulated`。
# {% endif %}
